import { compareCodePoints } from 'steersman/api'
import { ageColumn, at, column, nameColumn, objectAge, type TablePrinter } from './printer.js'

export const resourceQuotaPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Request', 'string', 'How much of each request and count is used, and how much may be.'),
    column('Limit', 'string', 'How much of each limit is used, and how much may be.'),
    ageColumn,
  ],
  cells: (object, nowMs) => {
    const hard = (at(object, 'status', 'hard') ?? {}) as Readonly<Record<string, unknown>>
    const names = Object.keys(hard).sort(compareCodePoints)
    const text = (shown: readonly string[]) =>
      shown.map((name) => `${name}: ${at(object, 'status', 'used', name) ?? '0'}/${hard[name]}`).join(', ')
    const isLimit = (name: string) => name.startsWith('limits.')
    return [object.metadata.name, text(names.filter((name) => !isLimit(name))), text(names.filter(isLimit)), objectAge(object, nowMs)]
  },
}
