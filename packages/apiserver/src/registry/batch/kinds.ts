import type { BuiltinKind } from '../builtin-kind.js'
import { cronJobPrinter } from '../printers/cron-job.js'
import { jobPrinter } from '../printers/job.js'
import { cronJobKind } from './cron-job.js'
import { jobKind } from './job.js'

/** The kinds of this group that have rules of their own. */
export const batchKinds: readonly BuiltinKind[] = [
  { kind: cronJobKind, printer: cronJobPrinter },
  { kind: jobKind, printer: jobPrinter },
]
