import { ageColumn, column, listAt, nameColumn, objectAge, type TablePrinter, textAt, wideColumn } from './printer.js'

/** Bindings in a namespace and in the cluster. */
export const roleBindingPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Role', 'string', 'The role that is given.'),
    ageColumn,
    wideColumn('Users', 'string', 'The users that get it.'),
    wideColumn('Groups', 'string', 'The groups whose members get it.'),
    wideColumn('ServiceAccounts', 'string', 'The service accounts that get it.'),
  ],
  cells(object, nowMs) {
    const subjects = listAt(object, 'subjects')
    const names = (kind: string, text: (subject: unknown) => string) =>
      subjects
        .filter((subject) => textAt(subject, 'kind') === kind)
        .map(text)
        .join(', ')
    const name = (subject: unknown) => textAt(subject, 'name')
    return [
      object.metadata.name,
      `${textAt(object, 'roleRef', 'kind')}/${textAt(object, 'roleRef', 'name')}`,
      objectAge(object, nowMs),
      names('User', name),
      names('Group', name),
      names('ServiceAccount', (subject) => `${textAt(subject, 'namespace')}/${name(subject)}`),
    ]
  },
}
