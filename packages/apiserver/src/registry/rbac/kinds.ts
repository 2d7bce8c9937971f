import type { BuiltinKind } from '../builtin-kind.js'
import { roleBindingPrinter } from '../printers/role-binding.js'
import { clusterRoleKind } from './cluster-role.js'
import { roleKind } from './role.js'
import { clusterRoleBindingKind, roleBindingKind } from './role-binding.js'

/** The kinds of this group that have rules of their own. */
export const rbacKinds: readonly BuiltinKind[] = [
  { kind: roleKind },
  { kind: roleBindingKind, printer: roleBindingPrinter },
  { kind: clusterRoleKind },
  { kind: clusterRoleBindingKind, printer: roleBindingPrinter },
]
