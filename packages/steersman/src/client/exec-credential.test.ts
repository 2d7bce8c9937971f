import { expect, test } from 'vitest'
import { runExecPlugin } from './exec-credential.js'
import type { ExecConfig } from './index.js'
import { ClientConfigError } from './index.js'

const v1 = 'client.authentication.k8s.io/v1'
const noTimer = () => ({ cancel: () => undefined })

/** A plugin that runs a line of JavaScript. */
const plugin = (script: string, more: Partial<ExecConfig> = {}): ExecConfig => ({
  apiVersion: v1,
  command: process.execPath,
  args: ['-e', script],
  interactiveMode: 'Never',
  ...more,
})

const prints = (value: unknown) => `process.stdout.write(${JSON.stringify(JSON.stringify(value))})`
const credential = (status: unknown, apiVersion = v1) => ({ apiVersion, kind: 'ExecCredential', status })

async function failure(config: ExecConfig): Promise<ClientConfigError> {
  const error = await runExecPlugin(config, { timer: noTimer }).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ClientConfigError)
  expect((error as ClientConfigError).code).toBe('EXEC_PLUGIN_FAILED')
  return error as ClientConfigError
}

test('runExecPlugin hands over environment and KUBERNETES_EXEC_INFO and reads token, certificate and expiry', async () => {
  const script = `
    const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO)
    process.stdout.write(JSON.stringify({ apiVersion: info.apiVersion, kind: info.kind, status: {
      token: [process.env.A, process.env.INHERITED, info.spec.interactive, info.spec.cluster.server].join(),
      clientCertificateData: 'c', clientKeyData: 'k', expirationTimestamp: '2026-01-01T00:00:00Z' } }))`
  const config = plugin(script, { env: [{ name: 'A', value: 'a' }], provideClusterInfo: true, cluster: { server: 'https://x' } })
  expect(await runExecPlugin(config, { timer: noTimer, env: { INHERITED: 'i', A: 'overridden' } })).toEqual({
    token: 'a,i,false,https://x',
    certificate: { cert: 'c', key: 'k' },
    expiresAt: Date.UTC(2026, 0, 1),
  })
})

test('runExecPlugin does not tell of the cluster unless asked to', async () => {
  const script = `process.stdout.write(JSON.stringify({ ...JSON.parse(process.env.KUBERNETES_EXEC_INFO), status: { token: String('cluster' in JSON.parse(process.env.KUBERNETES_EXEC_INFO).spec) } }))`
  const config = plugin(script, { apiVersion: 'client.authentication.k8s.io/v1beta1' })
  expect(await runExecPlugin(config, { timer: noTimer })).toEqual({ token: 'false' })
})

test.each<[name: string, config: ExecConfig, message: string]>([
  ['exits with an error', plugin("process.stdout.write('s3cret'); process.exit(3)"), 'exited with code 3'],
  ['prints no JSON', plugin("process.stdout.write('s3cret')"), 'did not print JSON'],
  ['prints another kind', plugin(prints({ kind: 'Pod' })), 'kind ExecCredential'],
  ['answers in another version', plugin(prints(credential({ token: 's3cret' }, 'client.authentication.k8s.io/v1beta1'))), 'v1beta1'],
  ['prints no status', plugin(prints(credential(undefined))), 'neither a token nor a client certificate'],
  ['prints a certificate without key', plugin(prints(credential({ clientCertificateData: 's3cret' }))), 'only one of'],
  ['prints a wrong time', plugin(prints(credential({ token: 's3cret', expirationTimestamp: 'soon' }))), 'expirationTimestamp'],
  ['needs a terminal', plugin('', { interactiveMode: 'Always' }), 'needs a terminal'],
  ['prints too much', plugin("process.stdout.write('s3cret'.repeat(400000))"), 'more than 1048576 bytes'],
])('runExecPlugin refuses a plugin that %s, and shows no secret', async (_, config, message) => {
  const error = await failure(config)
  expect(error.message).toContain(message)
  expect(`${error.message} ${String(error.cause)}`).not.toContain('s3cret')
})

test('runExecPlugin shows the install hint when the program is missing', async () => {
  const error = await failure(plugin('', { command: 'no-such-program-here', installHint: 'Install it with apt.' }))
  expect(error.message).toBe(
    'Cannot get credentials from exec plugin "no-such-program-here": executable not found; expected it in PATH\n\nInstall it with apt.',
  )
})

test('runExecPlugin ends the program on abort and when its time is over', async () => {
  const controller = new AbortController()
  const reason = new Error('enough')
  const aborted = runExecPlugin(plugin('setInterval(() => {}, 1000)'), { timer: noTimer, signal: controller.signal })
  controller.abort(reason)
  await expect(aborted).rejects.toBe(reason)
  const late = runExecPlugin(plugin('setInterval(() => {}, 1000)'), {
    timer: (_, callback) => {
      queueMicrotask(callback)
      return { cancel: () => undefined }
    },
  })
  await expect(late).rejects.toThrow('did not finish within 300000 ms')
})
