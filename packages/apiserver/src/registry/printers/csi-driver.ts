import { ageColumn, at, column, listAt, nameColumn, objectAge, type TablePrinter, textAt } from './printer.js'

export const csiDriverPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('AttachRequired', 'boolean', 'Whether volumes must be attached before they can be mounted.'),
    column('PodInfoOnMount', 'boolean', 'Whether the driver is told about the pod.'),
    column('StorageCapacity', 'boolean', 'Whether the driver says how much storage is left.'),
    column('TokenRequests', 'string', 'For whom the driver gets tokens of the pod.'),
    column('RequiresRepublish', 'boolean', 'Whether the driver wants to be called again and again.'),
    column('Modes', 'string', 'How long volumes of the driver may live.'),
    ageColumn,
  ],
  cells: (object, nowMs) => {
    const audiences = listAt(object, 'spec', 'tokenRequests').map((request) => textAt(request, 'audience'))
    return [
      object.metadata.name,
      at(object, 'spec', 'attachRequired') ?? true,
      at(object, 'spec', 'podInfoOnMount') ?? false,
      at(object, 'spec', 'storageCapacity') ?? false,
      audiences.length === 0 ? '<unset>' : audiences.join(','),
      at(object, 'spec', 'requiresRepublish') ?? false,
      listAt(object, 'spec', 'volumeLifecycleModes').join(',') || '<none>',
      objectAge(object, nowMs),
    ]
  },
}
