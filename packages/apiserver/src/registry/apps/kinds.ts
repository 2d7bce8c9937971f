import type { BuiltinKind } from '../builtin-kind.js'
import { controllerRevisionPrinter } from '../printers/controller-revision.js'
import { daemonSetPrinter } from '../printers/daemon-set.js'
import { deploymentPrinter } from '../printers/deployment.js'
import { replicaSetPrinter } from '../printers/replica-set.js'
import { statefulSetPrinter } from '../printers/stateful-set.js'
import { controllerRevisionKind } from './controller-revision.js'
import { daemonSetKind } from './daemon-set.js'
import { deploymentKind, deploymentScale } from './deployment.js'
import { replicaSetKind, replicaSetScale } from './replica-set.js'
import { statefulSetKind, statefulSetScale } from './stateful-set.js'

/** The kinds of this group that have rules of their own. */
export const appsKinds: readonly BuiltinKind[] = [
  { kind: controllerRevisionKind, printer: controllerRevisionPrinter },
  { kind: daemonSetKind, printer: daemonSetPrinter },
  { kind: deploymentKind, printer: deploymentPrinter, scale: deploymentScale },
  { kind: replicaSetKind, printer: replicaSetPrinter, scale: replicaSetScale },
  { kind: statefulSetKind, printer: statefulSetPrinter, scale: statefulSetScale },
]
