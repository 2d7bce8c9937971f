import type { BuiltinKind } from '../builtin-kind.js'
import { otherVersion } from '../other-version.js'
import { leasePrinter } from '../printers/lease.js'
import { leaseCandidatePrinter } from '../printers/lease-candidate.js'
import { leaseKind } from './lease.js'
import { leaseCandidateKind } from './lease-candidate.js'

const leaseCandidate: BuiltinKind = {
  kind: leaseCandidateKind,
  printer: leaseCandidatePrinter,
  deprecationWarning: 'coordination.k8s.io/v1beta1 LeaseCandidate is deprecated in v1.36+, unavailable in v1.39+',
}

/** The kinds of this group that have rules of their own. */
export const coordinationKinds: readonly BuiltinKind[] = [
  { kind: leaseKind, printer: leasePrinter },
  leaseCandidate,
  otherVersion(leaseCandidate, 'v1alpha2', { deprecated: ['v1.35', 'v1.38'] }),
]
