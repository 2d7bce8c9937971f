import type { ClusterKind } from '../test-cluster.js'
import { clientReadsSuite } from './client-reads.js'
import { clientRefusalsSuite } from './client-refusals.js'
import { clientWatchesSuite } from './client-watches.js'
import { clientWritesSuite } from './client-writes.js'
import { desiredStateSuite } from './desired-state.js'
import { eventsSuite } from './events.js'
import { healthSuite } from './health.js'
import { informersSuite } from './informers.js'
import { managerSuite } from './manager.js'
import { outageSuite } from './outage.js'
import { ownWritesSuite } from './own-writes.js'
import { programsSuite } from './programs.js'
import { reconcilesSuite } from './reconciles.js'

/** Everything that the runtime promises on any Kubernetes API. */
export function runtimeSuites(kind: ClusterKind): void {
  transportSuites(kind)
  managerSuite(kind)
  healthSuite(kind)
  eventsSuite(kind)
  reconcilesSuite(kind)
  desiredStateSuite(kind)
  programsSuite(kind)
}

/** What of it depends on how requests travel. */
export function transportSuites(kind: ClusterKind): void {
  clientWritesSuite(kind)
  clientReadsSuite(kind)
  clientRefusalsSuite(kind)
  clientWatchesSuite(kind)
  ownWritesSuite(kind)
  informersSuite(kind)
  outageSuite(kind)
}
