import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Widget } from '@steersman/example-widget/widget'
import { ignoreNotFound } from 'steersman'
import { Deployment } from 'steersman/api/types/apps/v1'
import { Secret } from 'steersman/api/types/core/v1'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ChildProgram } from '../child-program.js'
import { useFixture } from '../fixture.js'
import { TcpProxy } from '../tcp-proxy.js'
import type { ClusterKind, TestCluster } from '../test-cluster.js'
import { until } from '../until.js'

const widgetProgram = 'examples/widget/dist/main.js'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** An operator as a process: its configuration, its signals, its log. */
export function programsSuite(kind: ClusterKind): void {
  describe.runIf(kind.isServed)(`Programs (${kind.name})`, () => {
    const fixture = useFixture(kind)

    it('find their cluster, log JSON lines as controller-runtime does, and stop cleanly on SIGTERM', async () => {
      const { client } = fixture
      await fixture.install(Widget)
      const key = { namespace: await fixture.namespace(), name: 'logged' }
      const program = new ChildProgram(widgetProgram, { KUBECONFIG: kubeconfigOf(fixture.cluster) })
      await program.line('Starting workers')
      await client.create(Widget, { metadata: key, spec: { image: 'hello:1' } })
      const line = await until('the Deployment in the log', () =>
        program.lines.find(({ namespace, msg }) => namespace === key.namespace && msg === 'Deployment created'),
      )
      expect(line).toEqual({
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        controller: 'widget',
        controllerGroup: 'example.com',
        controllerKind: 'Widget',
        Widget: { name: 'logged', namespace: key.namespace },
        namespace: key.namespace,
        name: 'logged',
        reconcileID: expect.stringMatching(uuid),
        image: 'hello:1',
        replicas: 1,
        msg: 'Deployment created',
      })
      expect(await client.get(Deployment, key)).toMatchObject({ spec: { replicas: 1 } })

      program.signal('SIGTERM')
      expect(await program.exit()).toBe('code 0')
      expect(program.lines.slice(-1)).toMatchObject([{ level: 'info', msg: 'Manager stopped' }])
      expect(program.stdout).toBe('')
      expect(program.lines.filter(({ level }) => level === 'error')).toEqual([])
    })

    it('end at once, with exit code 1, on a second signal', async () => {
      const { client, cluster } = fixture
      await fixture.install(Widget)
      const key = { namespace: await fixture.namespace(), name: 'hanging' }
      const proxy = new TcpProxy(serverOf(cluster))
      await proxy.open()
      onTestFinished(() => proxy.close())
      const program = new ChildProgram(widgetProgram, { KUBECONFIG: kubeconfigOf(cluster, proxy.url) })
      await program.line('Starting workers')
      // The watch still brings the Widget, but the write that it causes never arrives: a reconcile under way, which the stop waits for.
      proxy.stallUploads()
      await client.create(Widget, { metadata: key, spec: { image: 'hello:1' } })
      await until('a write of the program', () => proxy.stalledBytes > 300)
      program.signal('SIGTERM')
      await program.line('Stopping manager')
      program.signal('SIGINT')
      expect(await program.exit()).toBe('code 1')
      expect(program.lines.some(({ msg }) => msg === 'Manager stopped')).toBe(false)
      expect(await client.get(Deployment, key).catch(ignoreNotFound)).toBeUndefined()
    })

    it('show no secret in their log', async () => {
      const { client, cluster } = fixture
      const namespace = await fixture.namespace()
      const password = 'correct-horse-battery-staple'
      await client.create(Secret, { metadata: { namespace, name: 'keep-me' }, immutable: true, stringData: { password } })
      const program = new ChildProgram('e2e/dist/runtime/programs/secret-keeper.js', {
        KUBECONFIG: kubeconfigOf(cluster),
        WATCHED_NAMESPACE: namespace,
      })
      const failure = await program.line('Reconciler error')
      expect(failure).toMatchObject({ level: 'error', Secret: { name: 'keep-me', namespace }, error: expect.stringContaining('immutable') })
      await program.line('Event handler failed')
      expect(await program.line('Keeping a secret')).toMatchObject({ keys: ['password'] })
      program.signal('SIGINT')
      expect(await program.exit()).toBe('code 0')
      const config = readFileSync(kubeconfigOf(cluster), 'utf8')
      const credentials = [...config.matchAll(/(?:client-key-data|token): "?([^\s"}]+)/g)].map((match) => match[1] as string)
      expect(credentials.length).toBeGreaterThan(0)
      for (const secret of [password, Buffer.from(password).toString('base64'), 'changed-password', ...credentials]) {
        expect(program.stderr).not.toContain(secret)
      }
    })

    it('end with the reason when their configuration is broken', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'steersman-broken-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const path = join(folder, 'kubeconfig')
      writeFileSync(path, 'apiVersion: v1\nkind: Config\nclusters: nonsense\n')
      const program = new ChildProgram(widgetProgram, { KUBECONFIG: path })
      expect(await program.exit()).toBe('code 1')
      expect(program.stderr).toContain('ClientConfigError')
      expect(program.stderr).toContain(path)
    })
  })
}

function serverOf({ clientConfig }: TestCluster): string {
  if (clientConfig === undefined) throw new Error('A served cluster has a configuration')
  return clientConfig.server
}

/** The path of the cluster's kubeconfig, or of a copy with another server. */
function kubeconfigOf(cluster: TestCluster, server?: string): string {
  const { kubeconfigPath } = cluster
  if (kubeconfigPath === undefined) throw new Error('A served cluster has a kubeconfig')
  if (server === undefined) return kubeconfigPath
  const folder = mkdtempSync(join(tmpdir(), 'steersman-proxied-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'kubeconfig')
  writeFileSync(path, readFileSync(kubeconfigPath, 'utf8').replace(serverOf(cluster), server), { mode: 0o600 })
  return path
}
