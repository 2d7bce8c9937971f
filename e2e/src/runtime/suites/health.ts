import { createServer } from 'node:net'
import { controllerManagedBy, ListenError } from 'steersman'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useFixture } from '../fixture.js'
import { defineContraption, Gadget } from '../gadget.js'
import type { ClusterKind } from '../test-cluster.js'
import { until, within } from '../until.js'

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('expected a port')
  return address.port
}

async function ask(port: number, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  return `${response.status} ${(await response.text()).trim()}`
}

export function healthSuite(kind: ClusterKind): void {
  describe(`Health endpoints (${kind.name})`, () => {
    const fixture = useFixture(kind)

    it('answer as those of controller-runtime do', async () => {
      const port = await freePort()
      let isHealthy = true
      fixture.run(
        (manager) => {
          manager.addHealthCheck('disk', async () => {
            if (!isHealthy) throw new Error('a secret detail')
          })
          expect(() => manager.addHealthCheck('disk', () => {})).toThrow('the name is taken')
          controllerManagedBy(manager)
            .for(Gadget)
            .complete(async () => {})
        },
        { healthProbeBindAddress: `127.0.0.1:${port}` },
      )
      await until('the probe server to listen', async () => (await ask(port, '/healthz')) === '200 ok')
      await until('the informers to sync', async () => (await ask(port, '/readyz')) === '200 ok')
      expect(await ask(port, '/healthz?verbose')).toBe('200 [+]ping ok\n[+]disk ok\nhealthz check passed')
      expect(await ask(port, '/healthz/disk')).toBe('200 ok')
      expect(await ask(port, '/healthz/')).toBe('200 ok')
      expect(await ask(port, '/healthz/none')).toMatch(/^404 /)
      expect(await ask(port, '/metricsz')).toBe('404 404 page not found')

      isHealthy = false
      expect(await ask(port, '/healthz')).toBe('500 [+]ping ok\n[-]disk failed: reason withheld\nhealthz check failed')
      expect(await ask(port, '/healthz/disk')).toMatch(/^500 /)
      expect(await ask(port, '/healthz?exclude=disk')).toBe('200 ok')
      expect(await ask(port, '/healthz?exclude=disk&verbose')).toBe('200 [+]ping ok\n[+]disk excluded: ok\nhealthz check passed')
      expect(await ask(port, '/readyz')).toBe('200 ok')
    })

    it('are not ready while a kind is not installed', async () => {
      const port = await freePort()
      const Missing = defineContraption(fixture.name('Unready').replaceAll('-', ''))
      const { manager } = fixture.run(
        (manager) =>
          controllerManagedBy(manager)
            .for(Missing)
            .complete(async () => {}),
        {
          healthProbeBindAddress: `127.0.0.1:${port}`,
        },
      )
      await until('the informer to find out', () => manager.cache.health().some(({ state }) => state === 'kind-not-installed'))
      expect(await ask(port, '/readyz')).toBe('500 [-]informers failed: reason withheld\nreadyz check failed')
      expect(await ask(port, '/healthz')).toBe('200 ok')
    })

    it('make the manager fail when the port is taken', async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      const { port } = server.address() as { readonly port: number }
      const { running } = fixture.run(() => {}, { healthProbeBindAddress: `127.0.0.1:${port}` })
      const error = await within('the manager to fail', running).catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(ListenError)
      expect(String(error)).toContain(`Cannot listen on 127.0.0.1:${port}`)
    })

    it('make the manager fail when the address is none', async () => {
      const { running } = fixture.run(() => {}, { healthProbeBindAddress: 'everywhere' })
      await expect(within('the manager to fail', running)).rejects.toThrow('expected a free port as host:port or :port')
    })
  })
}
