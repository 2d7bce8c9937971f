import type { AcceptedDifference } from './compare/index.js'

/** What differs from the real server, and why. The report lists them; one that no longer occurs makes the suite fail. */
export const accepted: readonly AcceptedDifference[] = []
