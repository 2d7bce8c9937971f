import type { JsonObject, Resource, ScenarioBuilder } from '../language/index.js'
import { clusterRoleBindings, clusterRoles, defineArea, named, table } from '../language/index.js'

const certificates = (kind: string, plural: string, isNamespaced = false): Resource => ({
  group: 'certificates.k8s.io',
  version: 'v1',
  plural,
  kind,
  isNamespaced,
})
const signingRequests = certificates('CertificateSigningRequest', 'certificatesigningrequests')
const trustBundles = certificates('ClusterTrustBundle', 'clustertrustbundles')
const podRequests = certificates('PodCertificateRequest', 'podcertificaterequests', true)

const status = { subresource: 'status' } as const
const approval = { subresource: 'approval' } as const

/** For jane of devs, and for jane of system:masters: PKCS#10 in PEM; the first one in DER. */
export const requestOfJane =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIWk1JR0FBZ0VBTUI0eERUQUxCZ05WQkFvTUJHUmxkbk14RFRBTEJnTlZCQU1NQkdwaGJtVXdXVEFUQmdjcQpoa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVJ3eXBHMkhtblZyWVIySU1YUlliYkdMRHpDbVdLcU1IN1V0NUhCCjl1c2hrS0h0bGF5NWEvR1FVUmpwSnRKRUtyYmJCNEJVKzV2UmF2Wm5kcmNlYW9Gc29BQXdDZ1lJS29aSXpqMEUKQXdJRFNBQXdSUUloQUxXQUphRWx3VHhUWFNtY0x4eDhMNVlFbkU0MkRjY0VmTVRDY01YWTd2cE1BaUJVemxYRgpYV0xuUUIyWG1ndnlTNzd3Zlh3L1pEY04zSERJcVBTTzNxQWREUT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo='
const requestOfMaster =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIak1JR0tBZ0VBTUNneEZ6QVZCZ05WQkFvTURuTjVjM1JsYlRwdFlYTjBaWEp6TVEwd0N3WURWUVFEREFScQpZVzVsTUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFY01xUnRoNXAxYTJFZGlERjBXRzJ4aXc4CndwbGlxakIrMUxlUndmYnJJWkNoN1pXc3VXdnhrRkVZNlNiU1JDcTIyd2VBVlB1YjBXcjJaM2EzSG1xQmJLQUEKTUFvR0NDcUdTTTQ5QkFNQ0EwZ0FNRVVDSURjNktScU1pVklRaldURXh2bmlJWkFZU0xWSVVrclhHRGIwYk8vagpOTGlDQWlFQW14ekxqTVEyT3lFeUtMQWpmc0xFUkZaZUhWajY4MVA3Rk1zS1JmL01nQmM9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo='
const derOfJane =
  'MIHZMIGAAgEAMB4xDTALBgNVBAoMBGRldnMxDTALBgNVBAMMBGphbmUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARwypG2HmnVrYR2IMXRYbbGLDzCmWKqMH7Ut5HB9ushkKHtlay5a/GQURjpJtJEKrbbB4BU+5vRavZndrceaoFsoAAwCgYIKoZIzj0EAwIDSAAwRQIhALWAJaElwTxTXSmcLxx8L5YEnE42DccEfMTCcMXY7vpMAiBUzlXFXWLnQB2XmgvyS77wfXw/ZDcN3HDIqPSO3qAdDQ=='
/** A certificate of an authority, and one that is none. */
export const authority = pem(
  'MIIBdTCCARugAwIBAgIUfosudL0/y528WVkzSJrUUVTk10IwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEcm9vdDAgFw0yNjExMzAwODIxNDZaGA8yMTI2MTEwNjA4MjE0NlowDzENMAsGA1UEAwwEcm9vdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHDKkbYeadWthHYgxdFhtsYsPMKZYqowftS3kcH26yGQoe2VrLlr8ZBRGOkm0kQqttsHgFT7m9Fq9md2tx5qgWyjUzBRMB0GA1UdDgQWBBQ4acIFvbFrZ3HtDAnvGBTWPxuOIDAfBgNVHSMEGDAWgBQ4acIFvbFrZ3HtDAnvGBTWPxuOIDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIAoOVsQ1i8fasNRlvh+0Dui9tE1mmxOGxpeIYTxfVWsZAiEAiZZfXSWGQm51xsE+DtAQq+BLPg0PipCtCPxBGIDzsvk=',
)
const leaf = pem(
  'MIIBcTCCARigAwIBAgIUerX9h/yPb/0eBHnqWHnyKHaHYhgwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEbGVhZjAgFw0yNjExMzAwODIxNDZaGA8yMTI2MTEwNjA4MjE0NlowDzENMAsGA1UEAwwEbGVhZjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHDKkbYeadWthHYgxdFhtsYsPMKZYqowftS3kcH26yGQoe2VrLlr8ZBRGOkm0kQqttsHgFT7m9Fq9md2tx5qgWyjUDBOMB0GA1UdDgQWBBQ4acIFvbFrZ3HtDAnvGBTWPxuOIDAfBgNVHSMEGDAWgBQ4acIFvbFrZ3HtDAnvGBTWPxuOIDAMBgNVHRMBAf8EAjAAMAoGCCqGSM49BAMCA0cAMEQCIEvgwNpvxg/hCQ2dJEotXh5ymvNqq2q8yoBwKcvWf8pVAiB56W8Z1IrNjNSA+uTObUp4q88PhgJ+Rdm5i/1E+ZyEvw==',
)

function pem(base64: string, type = 'CERTIFICATE'): string {
  return `-----BEGIN ${type}-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END ${type}-----\n`
}

const bytes = (text: string): string => Buffer.from(text).toString('base64')
const clientSigner = 'kubernetes.io/kube-apiserver-client'
const signingSpec = (more: JsonObject = {}): JsonObject => ({
  request: requestOfJane,
  signerName: clientSigner,
  usages: ['client auth'],
  ...more,
})

/** Lets somebody who acts as `ann` write objects of the group, and use the signers named. */
function letAnn(s: ScenarioBuilder, signers: JsonObject[]): { readonly headers: Readonly<Record<string, string>> } {
  const [user, role] = [s.unique('ann'), s.unique('signer')]
  const write = { apiGroups: ['certificates.k8s.io'], resources: writable, verbs: ['create', 'get', 'update', 'patch'] }
  const use = signers.map((rule) => ({ apiGroups: ['certificates.k8s.io'], resources: ['signers'], ...rule }))
  const read = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], resourceNames: [role], verbs: ['get'] }
  s.create(clusterRoles, { ...named(role), rules: [write, ...use, read] }, { isQuiet: true })
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role }
  s.create(clusterRoleBindings, { ...named(role), roleRef, subjects: [{ kind: 'User', name: user }] }, { isQuiet: true })
  const headers = { 'impersonate-user': user }
  s.getUntil(clusterRoles, role, { status: 200 }, { headers, isQuiet: true })
  return { headers }
}

const writable = [
  'certificatesigningrequests',
  'certificatesigningrequests/approval',
  'certificatesigningrequests/status',
  'clustertrustbundles',
  'podcertificaterequests',
  'podcertificaterequests/status',
]

/** What a pod asks a certificate for. */
export const podRequestSpec: JsonObject = {
  signerName: 'example.com/mine',
  podName: 'a',
  podUID: 'a-uid',
  serviceAccountName: 'robot',
  serviceAccountUID: 'robot-uid',
  nodeName: 'n',
  nodeUID: 'n-uid',
  stubPKCS10Request: derOfJane,
}

/** Requests for certificates, and bundles of trust. */
export const kindsCertificates = defineArea('kinds certificates', (scenario) => {
  scenario('a signing request', (s) => {
    const name = s.unique('csr')
    s.create(signingRequests, {
      ...named(name),
      spec: signingSpec({
        expirationSeconds: 86400,
        username: 'mallory',
        uid: 'u',
        groups: ['g'],
        extra: { a: ['b'] },
        usages: ['digital signature', 'key encipherment', 'client auth'],
      }),
      status: { certificate: bytes(leaf), conditions: [{ type: 'Approved', status: 'True' }] },
    })
    s.get(signingRequests, name, table)
    s.get(signingRequests, name, status)
    s.get(signingRequests, name, approval)
    s.patch(signingRequests, name, 'merge', {
      metadata: { labels: { a: 'b' } },
      spec: { usages: ['any'] },
      status: { certificate: 'YQ==' },
    })
    const approved = { type: 'Approved', status: 'True', reason: 'ByMe', message: 'yes' }
    s.patch(signingRequests, name, 'merge', { status: { conditions: [approved] } }, status)
    s.patch(
      signingRequests,
      name,
      'merge',
      { spec: { usages: ['any'] }, status: { certificate: 'YQ==', conditions: [approved] } },
      approval,
    )
    s.patch(signingRequests, name, 'merge', { status: { conditions: [{ type: 'Denied', status: 'True' }] } }, approval)
    s.patch(signingRequests, name, 'merge', { status: { conditions: [approved, { type: 'Denied', status: 'True' }] } }, approval)
    s.patch(signingRequests, name, 'merge', { status: { certificate: 'YQ==' } }, status)
    s.patch(signingRequests, name, 'merge', { status: { certificate: bytes(leaf) } }, status)
    s.patch(signingRequests, name, 'merge', { status: { certificate: bytes(authority) } }, status)
    s.get(signingRequests, name, table)
    s.list(signingRequests, { query: { fieldSelector: `spec.signerName=${clientSigner},metadata.name=${name}` }, ...table })
    s.list(signingRequests, { query: { fieldSelector: 'spec.username=a' } })
    s.delete(signingRequests, name)
  })

  scenario('a signing request by another user', (s) => {
    const headers = {
      'impersonate-user': 'ann',
      'impersonate-uid': 'u1',
      'impersonate-group': 'system:masters',
      'impersonate-extra-a': 'b',
    }
    s.create(signingRequests, { ...named(s.unique('csr')), spec: signingSpec({ signerName: 'example.com/mine' }) }, { headers })
    s.create(signingRequests, { ...named(s.unique('master')), spec: signingSpec({ request: requestOfMaster }) })
  })

  scenario('a signing request that is wrong', (s) => {
    s.create(signingRequests, named(s.unique('csr')))
    s.create(signingRequests, {
      ...named(s.unique('csr')),
      spec: {
        request: 'YWJj',
        signerName: 'nothing',
        usages: ['client auth', 'client auth', 'dancing'],
        expirationSeconds: 5,
      },
    })
    s.create(signingRequests, {
      ...named(s.unique('csr')),
      spec: signingSpec({ request: bytes(leaf), signerName: 'kubernetes.io/legacy-unknown' }),
    })
    s.create(signingRequests, {
      ...named(s.unique('csr')),
      spec: signingSpec({ request: bytes(pem('YWJj', 'CERTIFICATE REQUEST')), signerName: 'A_b.example.com/x y', usages: [] }),
    })
    s.create(signingRequests, { ...named(s.unique('csr')), spec: signingSpec({ signerName: 'a/b/c' }) })
  })

  scenario('conditions of a signing request', (s) => {
    const name = s.unique('csr')
    s.create(signingRequests, { ...named(name), spec: signingSpec() }, { isQuiet: true })
    const conditions = (...list: readonly JsonObject[]): JsonObject => ({ status: { conditions: list } })
    s.patch(signingRequests, name, 'merge', conditions({ type: 'Approved', status: 'False' }, { status: 'True' }, { type: 'A' }), approval)
    s.patch(signingRequests, name, 'merge', conditions({ type: 'Approved', status: 'True' }, { type: 'Denied', status: 'True' }), approval)
    s.patch(signingRequests, name, 'merge', conditions({ type: 'A', status: 'Maybe' }, { type: 'A', status: 'True' }), approval)
    s.patch(signingRequests, name, 'merge', conditions({ type: 'Failed', status: 'True', reason: 'Because' }), status)
    s.patch(signingRequests, name, 'merge', conditions(), status)
    s.patch(signingRequests, name, 'merge', conditions({ type: 'Failed', status: 'True' }, { type: 'Denied', status: 'True' }), approval)
    s.get(signingRequests, name, table)
  })

  scenario('a trust bundle', (s) => {
    const name = s.unique('bundle')
    s.create(trustBundles, { ...named(name), spec: { trustBundle: authority } })
    s.create(trustBundles, { ...named(`example.com:mine:${name}`), spec: { signerName: 'example.com/mine', trustBundle: authority } })
    s.get(trustBundles, name, table)
    s.update(trustBundles, { ...named(name), spec: { trustBundle: authority } })
    s.patch(trustBundles, name, 'merge', { spec: { signerName: 'example.com/mine' } })
    s.patch(trustBundles, `example.com:mine:${name}`, 'merge', { spec: { signerName: 'example.com/other' } })
    s.list(trustBundles, {
      query: { fieldSelector: `spec.signerName=example.com/mine,metadata.name=example.com:mine:${name}` },
      ...table,
    })
    s.create(trustBundles, named(s.unique('wrong')))
    s.create(trustBundles, { ...named(s.unique('wrong')), spec: { signerName: 'nothing', trustBundle: leaf } })
    s.create(trustBundles, { ...named('a:b'), spec: { trustBundle: authority + authority } })
    s.create(trustBundles, { ...named(s.unique('wrong')), spec: { signerName: 'example.com/mine', trustBundle: pem('YWJj') } })
    s.create(trustBundles, { ...named(s.unique('wrong')), spec: { trustBundle: pem('YWJj', 'KEY') } })
    s.delete(trustBundles, name)
    s.delete(trustBundles, `example.com:mine:${name}`)
  })

  scenario('a certificate request of a pod', (s) => {
    const spec = podRequestSpec
    s.create(podRequests, { ...named('a'), spec: { ...spec, unverifiedUserAnnotations: { 'example.com/a': 'b' } } })
    s.create(podRequests, { ...named('b'), spec: {} })
    s.create(podRequests, named('b'))
    s.create(podRequests, {
      ...named('b'),
      spec: { ...spec, signerName: 'x', podName: 'A B', nodeName: 'A B', serviceAccountName: 'A B', maxExpirationSeconds: 1 },
    })
    s.create(podRequests, { ...named('b'), spec: { ...spec, maxExpirationSeconds: 3600, stubPKCS10Request: 'YWJj' } })
  })

  scenario('signers of signing requests', (s) => {
    const ann = letAnn(s, [
      { verbs: ['approve'], resourceNames: ['example.com/*'] },
      { verbs: ['sign'], resourceNames: ['example.com/mine'] },
    ])
    const [mine, other] = [s.unique('mine'), s.unique('other')]
    s.create(signingRequests, { ...named(mine), spec: signingSpec({ signerName: 'example.com/mine' }) }, { isQuiet: true })
    s.create(signingRequests, { ...named(other), spec: signingSpec() }, { isQuiet: true })
    const approve = { status: { conditions: [{ type: 'Approved', status: 'True' }] } }
    const fail = {
      status: {
        conditions: [
          { type: 'Approved', status: 'True' },
          { type: 'Failed', status: 'True' },
        ],
      },
    }
    s.patch(signingRequests, other, 'merge', approve, { ...ann, ...approval })
    s.patch(signingRequests, mine, 'merge', approve, { ...ann, ...approval })
    s.patch(signingRequests, mine, 'merge', fail, { ...ann, ...status })
    s.patch(signingRequests, other, 'merge', { status: { conditions: [{ type: 'Failed', status: 'True' }] } }, { ...ann, ...status })
    s.patch(signingRequests, other, 'merge', { metadata: { labels: { a: 'b' } } }, { ...ann, ...status })
  })

  scenario('signers of trust bundles', (s) => {
    const ann = letAnn(s, [{ verbs: ['attest'], resourceNames: ['example.com/mine'] }])
    const name = s.unique('bundle')
    const bundle = (signerName: string): JsonObject => ({
      ...named(`${signerName.replace('/', ':')}:${name}`),
      spec: { signerName, trustBundle: authority },
    })
    s.create(trustBundles, bundle('example.com/mine'), ann)
    s.create(trustBundles, bundle('example.com/other'), ann)
    s.create(trustBundles, { ...named(name), spec: { trustBundle: authority } }, ann)
  })

  scenario('decisions on certificate requests of pods', (s) => {
    const ann = letAnn(s, [{ verbs: ['sign'], resourceNames: ['example.com/mine'] }])
    for (const name of ['a', 'b', 'c']) s.create(podRequests, { ...named(name), spec: podRequestSpec }, { isQuiet: true })
    s.create(podRequests, { ...named('other'), spec: { ...podRequestSpec, signerName: 'example.com/other' } }, { isQuiet: true })
    const decide = (name: string, type: string, more: JsonObject = {}, condition: JsonObject = {}) => {
      const base = { type, status: 'True', reason: 'Because', message: 'so', lastTransitionTime: '2026-01-01T00:00:00Z' }
      return s.patch(podRequests, name, 'merge', { status: { conditions: [{ ...base, ...condition }], ...more } }, { ...ann, ...status })
    }
    decide('other', 'Denied')
    decide('a', 'Strange')
    decide('a', 'Denied', {}, { status: 'False' })
    decide('a', 'Denied', {}, { reason: '', lastTransitionTime: null })
    decide('a', 'Denied', { certificateChain: 'x' })
    decide('a', 'Denied')
    decide('a', 'Failed')
    decide('b', 'Issued')
    decide('b', 'Issued', { certificateChain: leaf })
    decide('b', 'Issued', { certificateChain: pem('YWJj') })
    s.patch(podRequests, 'c', 'merge', { status: { certificateChain: 'x' } }, { ...ann, ...status })
    s.patch(podRequests, 'c', 'merge', { metadata: { labels: { a: 'b' } }, spec: { podName: 'other' } }, { ...ann, ...status })
    s.patch(podRequests, 'c', 'merge', { spec: { podName: 'other' } })
    s.patch(podRequests, 'c', 'merge', { metadata: { labels: { a: 'b' } }, status: { certificateChain: 'x' } })
    s.get(podRequests, 'a', table)
    s.list(podRequests, { query: { fieldSelector: 'spec.signerName=example.com/other,spec.podName=a,spec.nodeName=n' } })
  })
})
