import type { DeleteRequest } from '../contracts/index.js'

/** Who the server is when it writes of its own accord. Admission is not asked. */
export const systemWrite: DeleteRequest = {
  user: { name: 'system:apiserver', groups: ['system:masters'] },
  dryRun: false,
  fieldManager: 'kube-apiserver',
  options: {},
  admission: { name: 'none' },
  warn: () => {},
  propagationPolicy: 'Background',
}
