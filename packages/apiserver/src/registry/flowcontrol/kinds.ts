import type { BuiltinKind } from '../builtin-kind.js'
import { flowSchemaPrinter, priorityLevelConfigurationPrinter } from '../printers/flow-control.js'
import { flowSchemaKind } from './flow-schema.js'
import { priorityLevelConfigurationKind } from './priority-level-configuration.js'

/** The kinds of this group that have rules of their own. */
export const flowControlKinds: readonly BuiltinKind[] = [
  { kind: flowSchemaKind, printer: flowSchemaPrinter },
  { kind: priorityLevelConfigurationKind, printer: priorityLevelConfigurationPrinter },
]
