import type { BuiltinKind } from '../builtin-kind.js'

/** The kinds of this group that have rules of their own. */
export const batchKinds: readonly BuiltinKind[] = []
