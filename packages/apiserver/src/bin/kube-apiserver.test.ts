import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CertificateAuthority } from 'steersman/internal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Executables run as they are published.
const executable = fileURLToPath(new URL('../../dist/bin/kube-apiserver.js', import.meta.url))
const validity = { notBefore: Date.now() - 60_000, notAfter: Date.now() + 3_600_000 }
const authority = new CertificateAuthority({ commonName: 'authority', randomBytes, ...validity })

let folder = ''
const path = (name: string) => join(folder, name)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'steersman-bin-'))
  const server = authority.issueServerCertificate({ commonName: 'server', dnsNames: [], ipAddresses: ['127.0.0.1'], ...validity })
  writeFileSync(path('apiserver.crt'), server.certificate)
  writeFileSync(path('apiserver.key'), server.privateKey)
  writeFileSync(path('authority.crt'), authority.pair.certificate)
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(path('other.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(path('garbage'), 'hello')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function start(flags: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const all = ['--bind-address=127.0.0.1', `--cert-dir=${folder}`, '--authorization-mode=RBAC', ...flags]
  return spawn(process.execPath, [executable, ...all], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
}

async function refusal(flags: readonly string[]): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const child = start(flags)
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, stderr: stderr.replaceAll(folder, '') }
}

/** The status of an answer; 0: there is none yet. */
function get(port: number, credentials: object): Promise<number> {
  return new Promise((resolve) => {
    request({ port, path: '/api/v1/namespaces', rejectUnauthorized: false, agent: false, ...credentials }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', () => resolve(0))
      .end()
  })
}

describe('kube-apiserver', () => {
  test.each([
    [['--cert-dir=/nowhere'], 'Cannot use /nowhere/apiserver.crt, named by --cert-dir: no such file or directory\n'],
    [['--tls-cert-file={}/garbage'], 'Cannot use /garbage, named by --tls-cert-file: '],
    [
      ['--tls-private-key-file={}/other.key'],
      'Cannot use /other.key, named by --tls-private-key-file: the key is not that of the certificate\n',
    ],
    [['--client-ca-file={}/garbage'], 'Cannot use /garbage, named by --client-ca-file: '],
    [['--token-auth-file={}'], 'Cannot use , named by --token-auth-file: illegal operation on a directory\n'],
    [['--service-account-key-file={}/garbage'], 'Cannot sign tokens of service accounts: a key cannot be used: '],
    [['--service-account-signing-key-file={}/garbage'], 'Cannot sign tokens of service accounts: a key cannot be used: '],
    [['--secure-port=abc'], '--secure-port abc: expected a whole number between 0 and 65535\n'],
    [['--secure-port=70000'], '--secure-port 70000: expected a whole number between 0 and 65535\n'],
  ])('%j is refused with exit code 1 and one line', async (flags, message) => {
    const { code, stderr } = await refusal(flags.map((flag) => flag.replace('{}', folder)))
    expect(stderr).toContain(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(code).toBe(1)
  })

  test('without an authority of clients a certificate proves nothing, whoever Node trusts', async () => {
    const { certificate: cert, privateKey: key } = authority.issueClientCertificate({
      commonName: 'root',
      organizations: ['system:masters'],
      ...validity,
    })
    const port = 20_000 + (process.pid % 10_000)
    const child = start([`--secure-port=${port}`], { NODE_EXTRA_CA_CERTS: path('authority.crt') })
    try {
      await expect.poll(() => get(port, { cert, key }), { timeout: 10_000 }).not.toBe(0)
      expect(await get(port, { cert, key })).toBe(403)
    } finally {
      child.kill()
    }
  })
})
