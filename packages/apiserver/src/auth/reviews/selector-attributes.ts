import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, parseFieldSelector, parseLabelSelector, SelectorError, validateLabelValue, validateQualifiedName } from 'steersman/api'
import type { ResourceAttributes } from 'steersman/api/types/authorization/v1'

interface Requirement {
  readonly key?: string
  readonly operator?: string
  readonly values?: readonly string[]
}

interface SelectorAttributes {
  readonly rawSelector?: string
  readonly requirements?: readonly Requirement[]
}

const valueOperators = ['In', 'NotIn']
const bareOperators = ['Exists', 'DoesNotExist']

/** What is wrong with the selectors of a question. */
export function validateSelectors({ fieldSelector, labelSelector }: ResourceAttributes, path: FieldPath): FieldError[] {
  return [
    ...(fieldSelector ? validateSelector(fieldSelector, path.child('fieldSelector'), validateFieldRequirement) : []),
    ...(labelSelector ? validateSelector(labelSelector, path.child('labelSelector'), validateLabelRequirement) : []),
  ]
}

function validateSelector(
  { rawSelector, requirements = [] }: SelectorAttributes,
  path: FieldPath,
  validate: (requirement: Requirement, path: FieldPath) => FieldError[],
): FieldError[] {
  const errors: FieldError[] = []
  if (rawSelector && requirements.length > 0) {
    errors.push(fieldError.invalid(path.child('rawSelector'), rawSelector, 'may not specified at the same time as requirements'))
  }
  if (!rawSelector && requirements.length === 0) {
    const detail = `when ${path} is specified, requirements or rawSelector is required`
    errors.push(fieldError.required(path.child('requirements'), detail))
  }
  return [...errors, ...requirements.flatMap((requirement, index) => validate(requirement, path.child('requirements').index(index)))]
}

function validateFieldRequirement(requirement: Requirement, path: FieldPath): FieldError[] {
  const missing = requirement.key ? [] : [fieldError.required(path.child('key'), 'must be specified')]
  return [...missing, ...validateValues(requirement, path)]
}

function validateLabelRequirement(requirement: Requirement, path: FieldPath): FieldError[] {
  const { key = '', values = [] } = requirement
  return [
    ...validateValues(requirement, path),
    ...validateQualifiedName(key).map((detail) => fieldError.invalid(path.child('key'), key, detail)),
    ...values.flatMap((value, index) =>
      validateLabelValue(value).map((detail) => fieldError.invalid(path.child('values').index(index), value, detail)),
    ),
  ]
}

/** An operator that nobody knows is no mistake: the client may be newer. */
function validateValues({ operator = '', values = [] }: Requirement, path: FieldPath): FieldError[] {
  if (valueOperators.includes(operator) && values.length === 0) {
    return [fieldError.required(path.child('values'), "must be specified when `operator` is 'In' or 'NotIn'")]
  }
  if (bareOperators.includes(operator) && values.length > 0) {
    return [fieldError.forbidden(path.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
  }
  return []
}

/** What of the selectors could not be read; the question was answered without it. Roles do not look at selectors at all. */
export function selectorProblems({ fieldSelector, labelSelector }: ResourceAttributes): string {
  const fields = usable(
    fieldSelector,
    parseFieldSelector,
    ({ operator = '', values = [] }) => valueOperators.includes(operator) && values.length === 1,
  )
  const labels = usable(labelSelector, parseLabelSelector, ({ operator = '' }) => [...valueOperators, ...bareOperators].includes(operator))
  const told = (name: string, { parts, used }: { readonly parts: number; readonly used: number }) =>
    used === parts ? [] : [`spec.resourceAttributes.${name} ${used > 0 ? 'partially ' : ''}ignored due to parse error`]
  return [...told('fieldSelector', fields), ...told('labelSelector', labels)].join('; ')
}

/** How many parts a selector has, and how many of them could be read. */
function usable(
  selector: SelectorAttributes | undefined,
  parse: (text: string) => unknown,
  isKnown: (requirement: Requirement) => boolean,
): { readonly parts: number; readonly used: number } {
  const { rawSelector, requirements = [] } = selector ?? {}
  if (requirements.length > 0) return { parts: requirements.length, used: requirements.filter(isKnown).length }
  if (!rawSelector) return { parts: 0, used: 0 }
  try {
    parse(rawSelector)
    return { parts: 1, used: 1 }
  } catch (error) {
    if (error instanceof SelectorError) return { parts: 1, used: 0 }
    throw error
  }
}
