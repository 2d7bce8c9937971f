import { ageColumn, at, column, nameColumn, numberAt, objectAge, type TablePrinter } from './printer.js'

export const podDisruptionBudgetPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Min Available', 'string', 'How many pods must stay available.'),
    column('Max Unavailable', 'string', 'How many pods may be unavailable.'),
    column('Allowed Disruptions', 'integer', 'How many pods may be disrupted now.'),
    ageColumn,
  ],
  cells: (budget, nowMs) => [
    budget.metadata.name,
    String(at(budget, 'spec', 'minAvailable') ?? 'N/A'),
    String(at(budget, 'spec', 'maxUnavailable') ?? 'N/A'),
    numberAt(budget, 'status', 'disruptionsAllowed'),
    objectAge(budget, nowMs),
  ],
}
