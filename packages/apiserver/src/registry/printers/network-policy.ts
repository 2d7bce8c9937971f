import { ageColumn, at, column, nameColumn, objectAge, selectorText, type TablePrinter } from './printer.js'

export const networkPolicyPrinter: TablePrinter = {
  columns: [nameColumn, column('Pod-Selector', 'string', 'Which pods the policy is for.'), ageColumn],
  cells: (object, nowMs) => [
    object.metadata.name,
    selectorText(at(object, 'spec', 'podSelector') ?? {}, '<error>') || '<none>',
    objectAge(object, nowMs),
  ],
}
