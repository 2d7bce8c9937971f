import { ageColumn, at, column, listAt, nameColumn, objectAge, type TablePrinter, textAt } from './printer.js'

export const validatingAdmissionPolicyPrinter: TablePrinter = policyPrinter(
  'validations',
  column('Validations', 'integer', 'How many rules there are.'),
)
export const mutatingAdmissionPolicyPrinter: TablePrinter = policyPrinter(
  'mutations',
  column('Mutations', 'integer', 'How many changes are made.'),
)

function policyPrinter(field: string, count: ReturnType<typeof column>): TablePrinter {
  return {
    columns: [nameColumn, count, column('ParamKind', 'string', 'The kind of the parameters.'), ageColumn],
    cells: (object, nowMs) => {
      const kind = at(object, 'spec', 'paramKind')
      const paramKind = kind === undefined ? '<unset>' : `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}`
      return [object.metadata.name, listAt(object, 'spec', field).length, paramKind, objectAge(object, nowMs)]
    },
  }
}

/** Bindings of policies, validating and mutating ones. */
export const admissionPolicyBindingPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('PolicyName', 'string', 'The policy that is bound.'),
    column('ParamRef', 'string', 'Where the parameters are.'),
    ageColumn,
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    textAt(object, 'spec', 'policyName'),
    paramText(at(object, 'spec', 'paramRef')),
    objectAge(object, nowMs),
  ],
}

/** Whether the parameter is in a namespace cannot be told here: without one, it may be in any. */
function paramText(reference: unknown): string {
  const name = textAt(reference, 'name')
  if (name !== '') return `${textAt(reference, 'namespace') || '*'}/${name}`
  const selector = at(reference, 'selector')
  return selector === undefined ? '<unset>' : goSelector(selector)
}

/** A label selector as Go prints the struct. */
function goSelector(selector: unknown): string {
  const labels = Object.entries((at(selector, 'matchLabels') ?? {}) as Record<string, string>).sort(([a], [b]) => (a < b ? -1 : 1))
  const labelTexts = labels.map(([key, value]) => `${key}: ${value},`)
  const expressionTexts = listAt(selector, 'matchExpressions').map((expression) => {
    const values = listAt(expression, 'values').join(' ')
    return `LabelSelectorRequirement{Key:${textAt(expression, 'key')},Operator:${textAt(expression, 'operator')},Values:[${values}],},`
  })
  const parts = `MatchLabels:map[string]string{${labelTexts.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressionTexts.join('')}},`
  return `&LabelSelector{${parts}}`
}
