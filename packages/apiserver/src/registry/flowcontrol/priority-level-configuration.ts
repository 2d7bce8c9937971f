import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, validateDns1123Subdomain } from 'steersman/api'
import type {
  ExemptPriorityLevelConfiguration,
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from 'steersman/api/types/flowcontrol/v1'
import { PriorityLevelConfiguration } from 'steersman/api/types/flowcontrol/v1'
import { deepEqual } from 'steersman/internal'
import { validateChoice } from '../shared/choice.js'
import { goForm } from '../shared/go-form.js'
import { withStructValue } from '../shared/struct-value.js'
import { defineKind } from '../strategy.js'
import { validateFlowConditions } from './flow-schema.js'
import { mandatoryPriorityLevelSpecs } from './mandatory.js'

const specPath = fieldPath('spec')
const maxQueues = 10_000_000
const maxHashBits = 60
/** Older versions of the API marked zero shares by it. */
const zeroSharesAnnotation = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares'

/** How many requests a level of priority may have at once. They are kept, and nothing is limited. */
export const priorityLevelConfigurationKind = defineKind(PriorityLevelConfiguration, {
  validateName: validateDns1123Subdomain,
  default(level) {
    level.spec ??= {} as typeof level.spec
    const { limited, exempt } = level.spec
    if (exempt !== undefined) {
      exempt.nominalConcurrencyShares ??= 0
      exempt.lendablePercent ??= 0
    }
    if (limited === undefined) return
    limited.nominalConcurrencyShares ??= 30
    limited.lendablePercent ??= 0
    limited.limitResponse ??= { type: '' }
    const { queuing } = limited.limitResponse
    if (queuing === undefined) return
    queuing.handSize ||= 8
    queuing.queues ||= 64
    queuing.queueLengthLimit ||= 50
  },
  validate: validateLevel,
  changesGeneration: (level, old) => !deepEqual(level.spec, old.spec),
  status: {
    initial: () => ({}),
    ignoresMetadata: true,
    validateUpdate: ({ status }) => validateFlowConditions(status?.conditions),
  },
})

function validateLevel({ metadata, spec }: PriorityLevelConfiguration): FieldError[] {
  const { name, annotations = {} } = metadata
  return [
    ...(Object.hasOwn(annotations, zeroSharesAnnotation)
      ? [fieldError.forbidden('metadata.annotations', `annotation '${zeroSharesAnnotation}' is forbidden`)]
      : []),
    ...validateSpec(spec, name),
    ...validateMandatory(spec, name),
    ...validateDeclared(spec),
  ]
}

function validateSpec({ type = '', limited, exempt }: PriorityLevelConfigurationSpec, name: string): FieldError[] {
  const path = specPath.child('type')
  const errors: FieldError[] = []
  if ((name === 'exempt') !== (type === 'Exempt')) {
    errors.push(fieldError.invalid(path, type, "must be 'Exempt' if and only if `name` is 'exempt'"))
  }
  if (type !== '') errors.push(...validateChoice(type, ['Exempt', 'Limited'], path))
  if (type === 'Exempt' && exempt !== undefined) errors.push(...validateShares(exempt, specPath.child('exempt')))
  if (type === 'Limited' && limited !== undefined) errors.push(...validateLimited(limited, specPath.child('limited')))
  return errors
}

/** What is declared with the types is checked after everything else. */
function validateDeclared({ type = '', limited, exempt }: PriorityLevelConfigurationSpec): FieldError[] {
  const errors: FieldError[] = []
  if (exempt !== undefined && type !== 'Exempt') errors.push(fieldError.forbidden(specPath.child('exempt')))
  if (limited !== undefined && type !== 'Limited') errors.push(fieldError.forbidden(specPath.child('limited')))
  if (limited === undefined && type === 'Limited') errors.push(fieldError.required(specPath.child('limited')))
  if (type === '') errors.push(fieldError.required(specPath.child('type')))
  if (limited === undefined) return errors
  const path = specPath.child('limited', 'limitResponse')
  const { type: response = '', queuing } = limited.limitResponse
  if (queuing !== undefined && response !== 'Queue') errors.push(fieldError.forbidden(path.child('queuing')))
  if (queuing === undefined && response === 'Queue') errors.push(fieldError.required(path.child('queuing')))
  if (response === '') errors.push(fieldError.required(path.child('type')))
  return errors
}

function validateShares({ nominalConcurrencyShares, lendablePercent }: ExemptPriorityLevelConfiguration, path: FieldPath): FieldError[] {
  return [...sharesErrors(nominalConcurrencyShares, path), ...percentErrors(lendablePercent, path)]
}

function sharesErrors(shares: number | undefined, path: FieldPath): FieldError[] {
  if (shares === undefined || shares >= 0) return []
  return [fieldError.invalid(path.child('nominalConcurrencyShares'), shares, 'must be a non-negative integer')]
}

function percentErrors(percent: number | undefined, path: FieldPath): FieldError[] {
  if (percent === undefined || (percent >= 0 && percent <= 100)) return []
  return [fieldError.invalid(path.child('lendablePercent'), percent, 'must be between 0 and 100, inclusive')]
}

function validateLimited(limited: LimitedPriorityLevelConfiguration, path: FieldPath): FieldError[] {
  const { borrowingLimitPercent: borrowing } = limited
  return [
    ...sharesErrors(limited.nominalConcurrencyShares ?? undefined, path),
    ...validateResponse(limited.limitResponse, path.child('limitResponse')),
    ...percentErrors(limited.lendablePercent, path),
    ...(borrowing !== undefined && borrowing < 0
      ? [fieldError.invalid(path.child('borrowingLimitPercent'), borrowing, 'if specified, must be a non-negative integer')]
      : []),
  ]
}

function validateResponse({ type = '', queuing }: LimitResponse, path: FieldPath): FieldError[] {
  if (type === '') return []
  if (type === 'Queue' && queuing !== undefined) return validateQueuing(queuing, path.child('queuing'))
  return validateChoice(type, ['Queue', 'Reject'], path.child('type'))
}

function validateQueuing({ queues = 0, handSize = 0, queueLengthLimit = 0 }: QueuingConfiguration, path: FieldPath): FieldError[] {
  const errors: FieldError[] = []
  const refuse = (field: string, value: number, detail: string) => errors.push(fieldError.invalid(path.child(field), value, detail))
  if (queueLengthLimit <= 0) refuse('queueLengthLimit', queueLengthLimit, 'must be positive')
  if (queues <= 0) refuse('queues', queues, 'must be positive')
  else if (queues > maxQueues) refuse('queues', queues, `must not be greater than ${maxQueues}`)
  if (handSize <= 0) refuse('handSize', handSize, 'must be positive')
  else if (handSize > queues) refuse('handSize', handSize, `should not be greater than queues (${queues})`)
  else if (Math.ceil(Math.log2(queues) * handSize) > maxHashBits) {
    const what = `required entropy bits of deckSize ${queues} and handSize ${handSize}`
    refuse('handSize', handSize, `${what} should not be greater than ${maxHashBits}`)
  }
  return errors
}

function validateMandatory(spec: PriorityLevelConfigurationSpec, name: string): FieldError[] {
  const mandatory = mandatoryPriorityLevelSpecs.get(name)
  if (mandatory === undefined) return []
  // The shares of the exempt level may be changed.
  const isExempt = name === 'exempt'
  const compared = isExempt && mandatory.exempt !== undefined ? { ...spec, exempt: mandatory.exempt } : spec
  if (deepEqual(compared, mandatory)) return []
  const except = isExempt ? " except the 'spec.exempt' field" : ''
  const error = fieldError.invalid(specPath, undefined, `spec of '${name}'${except} must equal the fixed value`)
  return [withStructValue(error, goForm('PriorityLevelConfigurationSpec', spec))]
}
