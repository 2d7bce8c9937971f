import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ClientConfigError, clientConfigFromKubeconfig, loadClientConfig, loadInClusterConfig, loadKubeconfig } from './index.js'

const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
const base64 = (text: string) => Buffer.from(text).toString('base64')

const kubeconfig = (facts: { cluster?: string; user?: string; context?: string; current?: string } = {}) => `
apiVersion: v1
kind: Config
clusters: [{ name: main, cluster: ${facts.cluster ?? '{ server: https://main.example:6443 }'} }]
users: [{ name: admin, user: ${facts.user ?? '{ token: s3cret }'} }]
contexts: [{ name: main, context: ${facts.context ?? '{ cluster: main, user: admin, namespace: shop }'} }]
current-context: ${facts.current ?? 'main'}
`

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'steersman-kubeconfig-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, text)
  return path
}

async function failure(promise: Promise<unknown>): Promise<ClientConfigError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ClientConfigError)
  return error as ClientConfigError
}

describe('loadKubeconfig', () => {
  test('takes cluster, user and namespace of the current context', async () => {
    const path = await file('config', kubeconfig())
    expect(await loadKubeconfig({ path })).toEqual({
      server: 'https://main.example:6443',
      token: 's3cret',
      namespace: 'shop',
      source: `context "main" of ${path}`,
      tls: {},
    })
  })

  test('merges the files of KUBECONFIG: the first to name something wins whole, missing files are skipped', async () => {
    const one = await file('one', 'users: [{ name: red-user, user: { username: a, password: b } }]\ncurrent-context: from-one')
    const two = await file(
      'two',
      `
clusters: [{ name: c, cluster: { server: "https://two" } }]
users: [{ name: red-user, user: { token: discarded } }]
contexts: [{ name: from-one, context: { cluster: c, user: red-user } }]
current-context: from-two`,
    )
    const config = await loadKubeconfig({ env: { KUBECONFIG: ['', one, join(folder, 'missing'), two, one].join(delimiter) } })
    expect(config).toMatchObject({ server: 'https://two', username: 'a', password: 'b' })
    expect(config.token).toBeUndefined()
  })

  test('resolves files against the folder of the kubeconfig that names them', async () => {
    const first = await file('a/config', 'current-context: main')
    const second = await file(
      'b/config',
      kubeconfig({
        cluster: '{ server: "https://x", certificate-authority: ca.crt, tls-server-name: name.example }',
        user: '{ client-certificate: pki/me.crt, client-key: /absolute/me.key, tokenFile: token }',
      }),
    )
    const config = await loadKubeconfig({ env: { KUBECONFIG: `${first}${delimiter}${second}` } })
    expect(config.tls).toEqual({
      certificateAuthority: { file: join(folder, 'b/ca.crt') },
      serverName: 'name.example',
      certificate: { file: join(folder, 'b/pki/me.crt') },
      key: { file: '/absolute/me.key' },
    })
    expect(config.tokenFile).toBe(join(folder, 'b/token'))
  })

  test('decodes data, which wins over files', async () => {
    const config = await clientConfigFromKubeconfig(
      kubeconfig({
        cluster: `{ server: "https://x/", certificate-authority: ca.crt, certificate-authority-data: ${base64(pem)}, insecure-skip-tls-verify: false }`,
        user: `{ client-certificate-data: ${base64(pem)}, client-key-data: ${base64(pem)} }`,
      }),
    )
    expect(config.server).toBe('https://x')
    expect(config.tls).toEqual({ certificateAuthority: { data: pem }, certificate: { data: pem }, key: { data: pem } })
  })

  test('reads impersonation and basic authentication', async () => {
    const config = await clientConfigFromKubeconfig(
      kubeconfig({ user: '{ username: u, password: p, as: jane, as-uid: "7", as-groups: [dev], as-user-extra: { scopes: [a, b] } }' }),
    )
    expect(config).toMatchObject({
      username: 'u',
      password: 'p',
      impersonate: { user: 'jane', uid: '7', groups: ['dev'], extra: { scopes: ['a', 'b'] } },
    })
  })

  test('resolves an exec command with a slash, leaves one without to PATH, and describes the cluster', async () => {
    const user = (
      command: string,
    ) => `{ exec: { apiVersion: client.authentication.k8s.io/v1, command: ${command}, args: [token], env: [{ name: A, value: b }],
      interactiveMode: Never, provideClusterInfo: true, installHint: get it } }`
    const cluster = `{ server: "https://x", certificate-authority-data: ${base64(pem)}, extensions: [{ name: client.authentication.k8s.io/exec, extension: { audience: z } }] }`
    const path = await file('config', kubeconfig({ user: user('./bin/login'), cluster }))
    expect((await loadKubeconfig({ path })).exec).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      command: join(folder, 'bin/login'),
      args: ['token'],
      env: [{ name: 'A', value: 'b' }],
      interactiveMode: 'Never',
      installHint: 'get it',
      provideClusterInfo: true,
      cluster: { server: 'https://x', 'certificate-authority-data': base64(pem), config: { audience: 'z' } },
    })
    expect((await clientConfigFromKubeconfig(kubeconfig({ user: user('aws') }))).exec?.command).toBe('aws')
  })

  test.each<[name: string, text: string, message: string]>([
    ['YAML that is none', 'clusters: [\n  {', 'not valid YAML at line'],
    ['a list', '- a', 'the document is a list; expected a mapping'],
    ['another kind', 'kind: Pod', 'kind is "Pod"; expected "Config"'],
    ['a number for a token', kubeconfig({ user: '{ token: 12345 }' }), 'users[0].user.token is a number; expected a string'],
    ['two of one name', `${kubeconfig()}extra: 1`.replace('users: [', 'users: [{ name: admin }, '), 'two entries named "admin"'],
    ['no base64', kubeconfig({ user: '{ client-key-data: "s3cret!" }' }), 'users[0].user.client-key-data is not base64'],
    ['base64 of no PEM', kubeconfig({ user: '{ client-key-data: czNjcmV0 }' }), 'client-key-data is base64 of something else'],
    ['no current-context', kubeconfig({ current: '""' }), 'no current-context is set in'],
    ['an unknown context', kubeconfig({ current: 'prod' }), 'context "prod" does not exist in'],
    ['an unknown cluster', kubeconfig({ context: '{ cluster: x, user: admin }' }), 'names cluster "x", which does not exist'],
    ['an unknown user', kubeconfig({ context: '{ cluster: main, user: x }' }), 'names user "x", which does not exist'],
    ['no server', kubeconfig({ cluster: '{}' }), 'has no server'],
    ['a server that is no URL', kubeconfig({ cluster: '{ server: "ftp://u:s3cret@x" }' }), 'server of cluster "main"'],
    ['a proxy', kubeconfig({ cluster: '{ server: "https://x", proxy-url: "http://u:s3cret@p" }' }), 'proxies are not supported'],
    ['an auth-provider', kubeconfig({ user: '{ auth-provider: { name: gcp } }' }), 'expected an exec plugin'],
    ['a certificate without key', kubeconfig({ user: '{ client-certificate: a }' }), 'neither client-key nor client-key-data'],
    ['token and password', kubeconfig({ user: '{ token: s3cret, username: a }' }), 'both a token and a username'],
    ['groups without a user', kubeconfig({ user: '{ as-groups: [a] }' }), 'without a user'],
    [
      'an old exec version',
      kubeconfig({ user: '{ exec: { apiVersion: client.authentication.k8s.io/v1alpha1, command: a } }' }),
      'exec.apiVersion',
    ],
    [
      'exec v1 without interactiveMode',
      kubeconfig({ user: '{ exec: { apiVersion: client.authentication.k8s.io/v1, command: a } }' }),
      'exec.interactiveMode',
    ],
  ])('refuses %s and shows no secret', async (_, text, message) => {
    const path = await file('config', text)
    const error = await failure(loadKubeconfig({ path }))
    expect(error.message).toContain(message)
    expect(error.message).toContain(path)
    expect(`${error.message} ${String(error.cause)}`).not.toMatch(/s3cret|czNjcmV0|12345/)
    expect(['CONFIG_INVALID', 'CONFIG_UNSUPPORTED']).toContain(error.code)
  })

  test('refuses a file that was named and is missing, a folder, and a list of missing files', async () => {
    const path = join(folder, 'missing')
    expect(await failure(loadKubeconfig({ path }))).toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: `Cannot read kubeconfig ${path}: no such file`,
    })
    expect((await failure(loadKubeconfig({ path: folder }))).message).toContain('it is a folder')
    expect((await failure(loadKubeconfig({ env: { KUBECONFIG: path } }))).code).toBe('CONFIG_NOT_FOUND')
  })
})

describe('loadClientConfig', () => {
  const inPod = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' }

  async function serviceAccount(): Promise<string> {
    await file('sa/token', 'abc\n')
    await file('sa/ca.crt', pem)
    await file('sa/namespace', 'shop\n')
    return join(folder, 'sa')
  }

  test('prefers the named file, then KUBECONFIG, then the pod, then the home folder', async () => {
    const named = await file('named', kubeconfig({ cluster: '{ server: "https://named" }' }))
    const listed = await file('listed', kubeconfig({ cluster: '{ server: "https://listed" }' }))
    await file('.kube/config', kubeconfig({ cluster: '{ server: "https://home" }' }))
    const serviceAccountFolder = await serviceAccount()
    const all = { HOME: folder, KUBECONFIG: listed, ...inPod }
    const server = async (options: Parameters<typeof loadClientConfig>[0]) =>
      (await loadClientConfig({ serviceAccountFolder, ...options })).server
    expect(await server({ kubeconfig: named, env: all })).toBe('https://named')
    expect(await server({ env: all })).toBe('https://listed')
    expect(await server({ env: { ...all, KUBECONFIG: '' } })).toBe('https://[fd00::1]:443')
    expect(await server({ env: { HOME: folder } })).toBe('https://home')
  })

  test('says where it looked when there is nothing', async () => {
    const error = await failure(loadClientConfig({ env: { HOME: folder } }))
    expect(error.code).toBe('CONFIG_NOT_FOUND')
    expect(error.message).toContain(join(folder, '.kube/config'))
    expect(error.message).toContain('KUBECONFIG is not set')
    const listed = join(folder, 'listed')
    expect((await failure(loadClientConfig({ env: { HOME: folder, KUBECONFIG: listed } }))).message).toContain(`KUBECONFIG names ${listed}`)
  })

  test('says what is missing in a pod without a service account', async () => {
    const error = await failure(loadClientConfig({ env: { HOME: folder, ...inPod }, serviceAccountFolder: join(folder, 'none') }))
    expect(error.message).toContain(join(folder, 'none/token'))
    expect(error.code).toBe('CONFIG_UNREADABLE')
  })

  test('reads a service account', async () => {
    const mounted = await serviceAccount()
    expect(await loadInClusterConfig({ env: inPod, folder: mounted })).toEqual({
      server: 'https://[fd00::1]:443',
      tokenFile: join(mounted, 'token'),
      tls: { certificateAuthority: { file: join(mounted, 'ca.crt') } },
      namespace: 'shop',
      source: 'in-cluster',
    })
    expect((await failure(loadInClusterConfig({ env: {} }))).code).toBe('CONFIG_NOT_FOUND')
  })
})
