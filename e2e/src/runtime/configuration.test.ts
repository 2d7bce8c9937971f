import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { controllerManagedBy, Manager } from 'steersman'
import { ConfigMap } from 'steersman/api/types/core/v1'
import { ClientConfigError } from 'steersman/client'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { CapturedLogger } from './captured-logger.js'
import { within } from './until.js'

const good = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
  users: [{ name: 'u', user: { token: 't' } }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  'current-context': 'x',
}

describe('Manager without a usable configuration', () => {
  afterEach(() => void vi.unstubAllEnvs())

  /** Starts a manager with this kubeconfig, and gives the error and whether anything had begun. */
  async function start(kubeconfig: string | object | undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'steersman-config-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'kubeconfig')
    if (kubeconfig !== undefined) writeFileSync(path, typeof kubeconfig === 'string' ? kubeconfig : JSON.stringify(kubeconfig))
    vi.stubEnv('KUBECONFIG', path)
    const logger = new CapturedLogger()
    const manager = new Manager({ logger })
    let hasBegun = false
    manager.add({
      async start() {
        hasBegun = true
      },
    })
    controllerManagedBy(manager)
      .for(ConfigMap)
      .complete(async () => {})
    const error = await within('the manager to fail', manager.start(new AbortController().signal)).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ClientConfigError)
    expect(hasBegun).toBe(false)
    const { code, message } = error as ClientConfigError
    return { code, message: message.replaceAll(folder, '<folder>') }
  }

  it('says which file is missing', async () => {
    expect(await start(undefined)).toEqual({
      code: 'CONFIG_NOT_FOUND',
      message: 'Cannot find a Kubernetes cluster: KUBECONFIG names <folder>/kubeconfig, and no such file exists',
    })
  })

  it.each([
    ['no YAML', '{ not: [yaml', /^Cannot .*<folder>\/kubeconfig/],
    ['no mapping', '- a\n- b\n', /^Cannot .*<folder>\/kubeconfig/],
    ['no current context', { ...good, 'current-context': '' }, /no current-context is set in <folder>\/kubeconfig; expected one of "x"/],
    [
      'a context that does not exist',
      { ...good, 'current-context': 'y' },
      /context "y" does not exist in <folder>\/kubeconfig; there is "x"/,
    ],
    [
      'a cluster without a server',
      { ...good, clusters: [{ name: 'c', cluster: {} }] },
      /cluster "c" in <folder>\/kubeconfig has no server/,
    ],
    [
      'a server that is no URL',
      { ...good, clusters: [{ name: 'c', cluster: { server: 'ht tp://x' } }] },
      /expected a URL such as https:\/\/host:6443/,
    ],
  ])('says what is wrong: %s', async (_, kubeconfig, message) => {
    const error = await start(kubeconfig)
    expect(error.code).toBe('CONFIG_INVALID')
    expect(error.message).toMatch(message)
  })

  it('says which certificate file is missing', async () => {
    const clusters = [{ name: 'c', cluster: { server: 'https://127.0.0.1:1', 'certificate-authority': 'ca.crt' } }]
    expect(await start({ ...good, clusters })).toEqual({
      code: 'CONFIG_UNREADABLE',
      message: 'Cannot read certificate authority <folder>/ca.crt: ENOENT',
    })
  })

  it('says which credential plugin is missing', async () => {
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: './no-such-plugin',
      interactiveMode: 'Never',
      installHint: 'Install it.',
    }
    const error = await start({ ...good, users: [{ name: 'u', user: { exec } }] })
    expect(error.code).toBe('EXEC_PLUGIN_FAILED')
    expect(error.message).toContain('<folder>/no-such-plugin')
    expect(error.message).toContain('Install it.')
  })

  it('waits for a server that does not answer, and stops when it is told to', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'steersman-config-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'kubeconfig'), JSON.stringify(good))
    vi.stubEnv('KUBECONFIG', join(folder, 'kubeconfig'))
    const logger = new CapturedLogger()
    const manager = new Manager({ logger })
    controllerManagedBy(manager)
      .for(ConfigMap)
      .complete(async () => {})
    const stop = new AbortController()
    const running = manager.start(stop.signal)
    await vi.waitFor(
      () => expect(logger.of('List or watch failed')).toMatchObject([{ facts: { error: expect.stringContaining('ECONNREFUSED') } }]),
      10_000,
    )
    stop.abort()
    await within('the manager to stop', running)
  })
})
