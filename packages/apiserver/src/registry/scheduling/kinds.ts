import type { BuiltinKind } from '../builtin.js'

/** The kinds of this group that have rules of their own. */
export const schedulingKinds: readonly BuiltinKind[] = []
