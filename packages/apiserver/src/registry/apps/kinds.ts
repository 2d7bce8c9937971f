import type { BuiltinKind } from '../builtin-kind.js'
import { deploymentPrinter } from '../printers/deployment.js'
import { replicaSetPrinter } from '../printers/replica-set.js'
import { deploymentKind, deploymentScale } from './deployment.js'
import { replicaSetKind, replicaSetScale } from './replica-set.js'

/** The kinds of this group that have rules of their own. */
export const appsKinds: readonly BuiltinKind[] = [
  { kind: deploymentKind, printer: deploymentPrinter, scale: deploymentScale },
  { kind: replicaSetKind, printer: replicaSetPrinter, scale: replicaSetScale },
]
