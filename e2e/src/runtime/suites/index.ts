import type { ClusterKind } from '../test-cluster.js'
import { clientReadsSuite } from './client-reads.js'
import { clientRefusalsSuite } from './client-refusals.js'
import { clientWatchesSuite } from './client-watches.js'
import { clientWritesSuite } from './client-writes.js'

/** Everything that the runtime promises on any Kubernetes API. */
export function runtimeSuites(kind: ClusterKind): void {
  clientWritesSuite(kind)
  clientReadsSuite(kind)
  clientRefusalsSuite(kind)
  clientWatchesSuite(kind)
}
