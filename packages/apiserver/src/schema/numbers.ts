import { goFloat } from 'steersman/api'
import { isInt64, isIntegralFloat } from './json-number.js'
import type { StructuralSchema } from './structural-schema.js'

/** One thing wrong with a number. `value` absent: the error is about no field in particular, as the real server reports it. */
export interface NumberProblem {
  readonly value?: number | bigint
  readonly message: string
}

/**
 * Checks a number against range of its type and format, multipleOf, minimum and maximum, in the order and with the peculiarities of
 * the real server: an integer value is compared with the bound cut to an integer, and a bound that does not fit the type is a problem
 * of its own.
 */
export function numberProblems(input: number | bigint, schema: StructuralSchema, format: string, path: string): readonly NumberProblem[] {
  // What does not fit into int64 is a float64 to the real server.
  const value = isInt64(input) ? input : Number(input)
  const type = schema['x-kubernetes-int-or-string'] === true ? '' : (schema.type ?? '')
  const problems: NumberProblem[] = []
  const rangeProblem = (candidate: number | bigint, prefix: string): NumberProblem | undefined => {
    if (fitsType(candidate, type, format)) return undefined
    const formatText = format === '' ? '(default format)' : `with format ${format}`
    return { message: `${prefix} value must be of type ${type} ${formatText} in ${path}` }
  }
  const add = (problem: NumberProblem | undefined): boolean => {
    if (problem !== undefined) problems.push(problem)
    return problem === undefined
  }

  add(rangeProblem(value, 'Checked'))
  const isInteger = isInt64(value)
  const { multipleOf, minimum, maximum } = schema
  if (multipleOf !== undefined) {
    const native = add(rangeProblem(multipleOf, 'MultipleOf')) && isInteger
    add(multipleProblem(value, native ? Math.trunc(multipleOf) : multipleOf, native, path))
  }
  if (minimum !== undefined) {
    const native = add(rangeProblem(minimum, 'Minimum boundary')) && isInteger
    add(boundProblem(value, native ? Math.trunc(minimum) : minimum, schema.exclusiveMinimum === true, 'minimum', path))
  }
  if (maximum !== undefined) {
    const native = add(rangeProblem(maximum, 'Maximum boundary')) && isInteger
    add(boundProblem(value, native ? Math.trunc(maximum) : maximum, schema.exclusiveMaximum === true, 'maximum', path))
  }
  return problems
}

function fitsType(value: number | bigint, type: string, format: string): boolean {
  if (type === 'integer') {
    // A whole number that was written as a float is fine as long as its digits read as an integer.
    const isWhole = typeof value === 'bigint' ? isInt64(value) : Number.isInteger(value) && Math.abs(value) < 2 ** 63
    return isWhole && (format !== 'int32' || (value >= -(2 ** 31) && value < 2 ** 31))
  }
  return type !== 'number' || format !== 'float' || Math.abs(Number(value)) <= 3.4028235677973366e38
}

function multipleProblem(value: number | bigint, factor: number, isInteger: boolean, path: string): NumberProblem | undefined {
  if (factor <= 0)
    return { value: factor, message: `factor MultipleOf declared for ${path} must be positive: ${boundText(factor, isInteger)}` }
  const isMultiple = isInteger
    ? BigInt(value) % BigInt(factor) === 0n
    : isIntegralFloat(factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor)
  return isMultiple ? undefined : { value, message: `${path} in body should be a multiple of ${boundText(factor, isInteger)}` }
}

function boundProblem(
  value: number | bigint,
  bound: number,
  isExclusive: boolean,
  kind: 'minimum' | 'maximum',
  path: string,
): NumberProblem | undefined {
  const isBeyond = kind === 'minimum' ? value < bound : value > bound
  // biome-ignore lint/suspicious/noDoubleEquals: compares a bigint with a number by value.
  if (!isBeyond && !(isExclusive && value == bound)) return undefined
  const relation = `${kind === 'minimum' ? 'greater' : 'less'} than${isExclusive ? '' : ' or equal to'}`
  return { value, message: `${path} in body should be ${relation} ${boundText(bound, isInt64(value))}` }
}

function boundText(bound: number, isInteger: boolean): string {
  return isInteger && Number.isSafeInteger(bound) ? String(bound) : goFloat(bound)
}
