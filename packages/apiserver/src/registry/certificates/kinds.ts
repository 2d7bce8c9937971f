import type { BuiltinKind } from '../builtin-kind.js'
import { certificateSigningRequestPrinter } from '../printers/certificate-signing-request.js'
import { clusterTrustBundlePrinter } from '../printers/cluster-trust-bundle.js'
import { podCertificateRequestPrinter } from '../printers/pod-certificate-request.js'
import { ObjectSubresource } from '../subresources/object-subresource.js'
import { approvalRules, certificateSigningRequestKind } from './certificate-signing-request.js'
import { clusterTrustBundleKind } from './cluster-trust-bundle.js'
import { podCertificateRequestKind } from './pod-certificate-request.js'

/** The kinds of this group that have rules of their own. */
export const certificatesKinds: readonly BuiltinKind[] = [
  {
    kind: certificateSigningRequestKind,
    printer: certificateSigningRequestPrinter,
    subresources: { approval: (served, context, decode) => new ObjectSubresource(served, context, decode, approvalRules(context)) },
  },
  { kind: clusterTrustBundleKind, printer: clusterTrustBundlePrinter },
  { kind: podCertificateRequestKind, printer: podCertificateRequestPrinter },
]
