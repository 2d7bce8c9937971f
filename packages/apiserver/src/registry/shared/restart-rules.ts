import type { FieldError, FieldPath } from 'steersman/api'
import { fieldError } from 'steersman/api'
import type { Container, ContainerRestartRule } from 'steersman/api/types/core/v1'

const policies = ['Always', 'Never', 'OnFailure']
const actions = ['Restart', 'RestartAllContainers']
const operators = ['In', 'NotIn']
const mostRules = 20
const mostValues = 255

/** What is wrong with when a container is started again, if it says anything about it. */
export function validateRestartRules({ restartPolicy, restartPolicyRules = [] }: Container, path: FieldPath): FieldError[] {
  const policyPath = path.child('restartPolicy')
  const rulesPath = path.child('restartPolicyRules')
  const errors: FieldError[] = []
  if (restartPolicy === undefined) {
    if (restartPolicyRules.length === 0) return errors
    errors.push(fieldError.required(policyPath, 'must specify restartPolicy when restart rules are used'))
  } else if (!policies.includes(restartPolicy)) errors.push(fieldError.notSupported(policyPath, restartPolicy, policies))
  if (restartPolicyRules.length > mostRules) errors.push(fieldError.tooMany(rulesPath, restartPolicyRules.length, mostRules))
  return [...errors, ...restartPolicyRules.flatMap((rule, index) => validateRule(rule, rulesPath.index(index)))]
}

function validateRule({ action = '', exitCodes }: Partial<ContainerRestartRule>, path: FieldPath): FieldError[] {
  const errors = actions.includes(action) ? [] : [fieldError.notSupported(path.child('action'), action, actions)]
  const at = path.child('exitCodes')
  if (exitCodes === undefined) return [...errors, fieldError.required(at, 'must be specified')]
  const { operator = '', values = [] } = exitCodes
  if (!operators.includes(operator)) errors.push(fieldError.notSupported(at.child('operator'), operator, operators))
  if (values.length > mostValues) errors.push(fieldError.tooMany(at.child('values'), values.length, mostValues))
  return errors
}
