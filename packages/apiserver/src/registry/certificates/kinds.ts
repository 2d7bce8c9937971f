import type { BuiltinKind } from '../builtin-kind.js'
import type { OtherVersionOptions } from '../other-version.js'
import { otherVersion } from '../other-version.js'
import { certificateSigningRequestPrinter } from '../printers/certificate-signing-request.js'
import { clusterTrustBundlePrinter } from '../printers/cluster-trust-bundle.js'
import { podCertificateRequestPrinter } from '../printers/pod-certificate-request.js'
import { ObjectSubresource } from '../subresources/object-subresource.js'
import { approvalRules, certificateSigningRequestKind } from './certificate-signing-request.js'
import { clusterTrustBundleKind } from './cluster-trust-bundle.js'
import { podCertificateRequestKind } from './pod-certificate-request.js'
import { betaPodCertificateRequest } from './v1beta1.js'

const clusterTrustBundle: BuiltinKind = { kind: clusterTrustBundleKind, printer: clusterTrustBundlePrinter }
const podCertificateRequest: BuiltinKind = { kind: podCertificateRequestKind, printer: podCertificateRequestPrinter }
const beta: OtherVersionOptions = { deprecated: ['v1.37', 'v1.40'], isReplaced: true }

/** The kinds of this group that have rules of their own. */
export const certificatesKinds: readonly BuiltinKind[] = [
  {
    kind: certificateSigningRequestKind,
    printer: certificateSigningRequestPrinter,
    subresources: { approval: (served, context, decode) => new ObjectSubresource(served, context, decode, approvalRules(context)) },
  },
  clusterTrustBundle,
  podCertificateRequest,
  otherVersion(clusterTrustBundle, 'v1beta1', beta),
  otherVersion(podCertificateRequest, 'v1beta1', { ...beta, shape: betaPodCertificateRequest }),
]
