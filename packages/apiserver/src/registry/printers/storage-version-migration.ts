import { at, column, listAt, type TablePrinter, textAt } from './printer.js'

const outcomes: readonly unknown[] = ['Running', 'Failed', 'Succeeded']

export const storageVersionMigrationPrinter: TablePrinter = {
  columns: [
    column('Name', 'string', 'The name of the object.'),
    column('Resource', 'string', 'Which objects are rewritten.'),
    column('Status', 'string', 'How far the migration is.'),
  ],
  cells: (object) => {
    const [group, resource] = [textAt(object, 'spec', 'resource', 'group'), textAt(object, 'spec', 'resource', 'resource')]
    const reached = listAt(object, 'status', 'conditions').filter(
      (condition) => at(condition, 'status') === 'True' && outcomes.includes(at(condition, 'type')),
    )
    return [object.metadata.name, group === '' ? resource : `${resource}.${group}`, textAt(reached.at(-1), 'type') || 'Unknown']
  },
}
