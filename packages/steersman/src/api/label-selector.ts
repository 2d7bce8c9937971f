/**
 * Label selectors: the text on the wire, the object in specs, and the compiled form that matches.
 */
import { compareCodePoints, goQuote } from './go-format.js'
import type { LabelRequirement, SelectorOperator } from './label-requirement.js'
import { labelRequirement, parseInt64, SelectorError } from './label-requirement.js'
import { parseRequirements } from './label-selector-parser.js'

/** Labels of an object. */
export type Labels = Readonly<Record<string, string>>

/** A selector as objects carry it (`meta/v1` LabelSelector). Empty selects everything; absent selects nothing. */
export interface LabelSelector {
  readonly matchLabels?: Labels
  readonly matchExpressions?: readonly LabelSelectorRequirement[]
}

export interface LabelSelectorRequirement {
  readonly key: string
  /** `In`, `NotIn`, `Exists` or `DoesNotExist`. */
  readonly operator: string
  readonly values?: readonly string[]
}

/** A compiled label selector: all its requirements must hold. Immutable. */
export interface CompiledLabelSelector {
  readonly requirements: readonly LabelRequirement[]
  /** Whether it selects everything. */
  readonly isEmpty: boolean
  /** Whether an object with these labels is selected. */
  matches(labels: Labels | undefined): boolean
  /** The one value that the key must have, if the selector says so. Lets an index answer. */
  exactValue(key: string): string | undefined
  /** The canonical text: requirements sorted by key, values sorted. Parses to an equal selector. */
  toString(): string
}

type Match = (labels: Labels) => boolean

const noLabels: Labels = Object.freeze({})

class RequirementsSelector implements CompiledLabelSelector {
  readonly requirements: readonly LabelRequirement[]
  readonly #matches: readonly Match[]

  constructor(requirements: readonly LabelRequirement[]) {
    this.requirements = requirements.toSorted((a, b) => compareCodePoints(a.key, b.key))
    this.#matches = this.requirements.map(compileRequirement)
  }

  get isEmpty(): boolean {
    return this.requirements.length === 0
  }

  matches(labels: Labels | undefined): boolean {
    const present = labels ?? noLabels
    for (const match of this.#matches) if (!match(present)) return false
    return true
  }

  exactValue(key: string): string | undefined {
    const requirement = this.requirements.find((candidate) => candidate.key === key)
    if (requirement === undefined || requirement.values.length !== 1) return undefined
    return exactOperators.has(requirement.operator) ? requirement.values[0] : undefined
  }

  toString(): string {
    return this.requirements.map(requirementText).join(',')
  }
}

const exactOperators: ReadonlySet<SelectorOperator> = new Set(['=', '==', 'in'])

/** Labels of an object come from anywhere: a key such as `constructor` must not be found on the prototype. */
const labelOf = (labels: Labels, key: string): string | undefined => (Object.hasOwn(labels, key) ? labels[key] : undefined)

function compileRequirement(requirement: LabelRequirement): Match {
  const { key, operator, values } = requirement
  const [only = ''] = values
  switch (operator) {
    case 'exists':
      return (labels) => labelOf(labels, key) !== undefined
    case '!':
      return (labels) => labelOf(labels, key) === undefined
    case '=':
    case '==':
      return (labels) => labelOf(labels, key) === only
    case '!=':
      return (labels) => labelOf(labels, key) !== only
    case 'in':
    case 'notin':
      return compileSet(key, new Set(values), operator === 'in')
    case 'gt':
    case 'lt':
      return compileOrder(key, parseInt64(only), operator === 'gt')
  }
}

function compileSet(key: string, values: ReadonlySet<string>, wanted: boolean): Match {
  return (labels) => {
    const value = labelOf(labels, key)
    return value === undefined ? !wanted : values.has(value) === wanted
  }
}

function compileOrder(key: string, limit: bigint | undefined, greater: boolean): Match {
  return (labels) => {
    const value = parseInt64(labelOf(labels, key) ?? '')
    if (value === undefined || limit === undefined) return false
    return greater ? value > limit : value < limit
  }
}

function requirementText({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key
    case '!':
      return `!${key}`
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.join(',')})`
    case 'gt':
      return `${key}>${values.join(',')}`
    case 'lt':
      return `${key}<${values.join(',')}`
    default:
      return `${key}${operator}${values.join(',')}`
  }
}

/** Selects every object. */
export const everything: CompiledLabelSelector = new RequirementsSelector([])

/** Selects no object. */
export const nothing: CompiledLabelSelector = Object.freeze({
  requirements: [],
  isEmpty: false,
  matches: () => false,
  exactValue: () => undefined,
  toString: () => '',
})

/**
 * Compiles a selector's text, such as `app=web,tier in (a,b),!legacy,replicas>3`. Empty text selects everything.
 *
 * @throws SelectorError with kube-apiserver's message.
 */
export function parseLabelSelector(text: string): CompiledLabelSelector {
  if (text === '') return everything
  return new RequirementsSelector(parseRequirements(text))
}

/**
 * Compiles the selector of an object's spec. `undefined` and `null` select nothing, an empty selector everything.
 *
 * @throws SelectorError for an operator, key or value that is not allowed.
 */
export function compileLabelSelector(selector: LabelSelector | null | undefined): CompiledLabelSelector {
  if (selector === undefined || selector === null) return nothing
  const requirements = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => labelRequirement(key, '=', [value]))
  for (const { key, operator, values } of selector.matchExpressions ?? []) {
    const compiled = objectOperators[operator]
    if (compiled === undefined) throw new SelectorError(`${goQuote(operator)} is not a valid label selector operator`)
    requirements.push(labelRequirement(key, compiled, values ?? []))
  }
  return requirements.length === 0 ? everything : new RequirementsSelector(requirements)
}

const objectOperators: Readonly<Record<string, SelectorOperator | undefined>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
}

/** A selector for objects that have all these labels. The labels are not validated. */
export function selectorFromLabels(labels: Labels): CompiledLabelSelector {
  const requirements = Object.entries(labels).map(([key, value]): LabelRequirement => ({ key, operator: '=', values: [value] }))
  return requirements.length === 0 ? everything : new RequirementsSelector(requirements)
}
