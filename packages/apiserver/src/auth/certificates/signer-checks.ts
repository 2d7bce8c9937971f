import { fieldError, forbidden, invalid, StatusError } from 'steersman/api'
import { deepEqual } from 'steersman/internal'
import type { AdmissionAttributes, AdmissionPlugin, Authorizer, UserInfo } from '../../contracts/index.js'
import { Pkcs10Error, parsePemRequest } from '../../registry/index.js'
import { mastersGroup } from '../authorizers.js'

const group = 'certificates.k8s.io'
/** Certificates by this signer prove who a client is. */
const clientSigner = 'kubernetes.io/kube-apiserver-client'

/** What of an object of the group matters here. */
interface Signed {
  readonly spec?: { readonly signerName?: string; readonly request?: string }
  readonly status?: { readonly certificate?: string; readonly conditions?: readonly unknown[] }
}

/** Admission of requests for certificates: who may approve, sign and attest for a signer. */
export function signerChecks(authorizer: Authorizer): readonly AdmissionPlugin[] {
  const require = async (attributes: AdmissionAttributes, verb: string, signerName: string, reason: string): Promise<void> => {
    if (await maySign(authorizer, attributes.user, verb, signerName)) return
    throw new StatusError(forbidden(attributes.type, attributes.name, reason))
  }
  return [
    {
      name: 'CertificateSubjectRestriction',
      async validate(attributes) {
        if (!isAbout(attributes, 'certificatesigningrequests', '') || attributes.operation !== 'CREATE') return
        const { spec } = attributes.object as Signed
        if (spec?.signerName !== clientSigner || !organizationsOf(spec.request ?? '').includes(mastersGroup)) return
        const reason = `use of ${clientSigner} signer with ${mastersGroup} group is not allowed`
        throw new StatusError(forbidden(attributes.type, attributes.name, reason))
      },
    },
    {
      name: 'CertificateApproval',
      async validate(attributes) {
        if (!isAbout(attributes, 'certificatesigningrequests', 'approval')) return
        const signerName = signerOf(attributes.oldObject)
        await require(attributes, 'approve', signerName, `user not permitted to approve requests with signerName "${signerName}"`)
      },
    },
    {
      name: 'CertificateSigning',
      async validate(attributes) {
        if (!isAbout(attributes, 'certificatesigningrequests', 'status')) return
        const { status: before } = attributes.oldObject as Signed
        const { status: after } = attributes.object as Signed
        if (before?.certificate === after?.certificate && deepEqual(before?.conditions ?? [], after?.conditions ?? [])) return
        const signerName = signerOf(attributes.oldObject)
        await require(attributes, 'sign', signerName, `user not permitted to sign requests with signerName "${signerName}"`)
      },
    },
    {
      name: 'PodCertificateRequestSigning',
      async validate(attributes) {
        if (!isAbout(attributes, 'podcertificaterequests', 'status')) return
        const { name, type, user, object, oldObject } = attributes
        if (deepEqual((oldObject as Signed).status ?? {}, (object as Signed).status ?? {})) return
        const signerName = signerOf(oldObject)
        if (await maySign(authorizer, user, 'sign', signerName)) return
        // The real server finds this while it validates.
        const error = fieldError.forbidden('spec.signerName', `User "${user.name}" is not permitted to "sign" for signer "${signerName}"`)
        throw new StatusError(invalid(type.kind, group, name, [error]))
      },
    },
    {
      name: 'ClusterTrustBundleAttest',
      async validate(attributes) {
        if (!isAbout(attributes, 'clustertrustbundles', '') || attributes.operation === 'DELETE') return
        const signerName = signerOf(attributes.object)
        if (signerName === '') return
        await require(attributes, 'attest', signerName, `user not permitted to attest for signerName "${signerName}"`)
      },
    },
  ]
}

/** The groups that a certificate would make its holder a member of. */
function organizationsOf(request: string): readonly string[] {
  try {
    return parsePemRequest(Buffer.from(request, 'base64').toString('latin1')).organizations
  } catch (error) {
    // Validation has told already what is wrong with it.
    if (error instanceof Pkcs10Error) return []
    throw error
  }
}

function isAbout({ type, subresource }: AdmissionAttributes, plural: string, wanted: string): boolean {
  return type.group === group && type.plural === plural && subresource === wanted
}

function signerOf(object: unknown): string {
  return ((object ?? {}) as Signed).spec?.signerName ?? ''
}

/** By the name of the signer, or by all of its domain. */
async function maySign(authorizer: Authorizer, user: UserInfo, verb: string, signerName: string): Promise<boolean> {
  const [domain = ''] = signerName.split('/')
  for (const name of [signerName, `${domain}/*`]) {
    const request = {
      isResourceRequest: true,
      path: '',
      verb,
      group,
      version: '*',
      resource: 'signers',
      subresource: '',
      namespace: '',
      name,
    }
    if ((await authorizer.authorize(user, request)).allowed) return true
  }
  return false
}
