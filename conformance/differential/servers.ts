import { startControlPlane } from '@steersman/apiserver'
import { startRealControlPlane } from '../src/real-control-plane.js'
import { users } from '../src/users.js'
import type { Scenario } from './language/index.js'
import type { Target } from './run/index.js'

/** A server that scenarios run on. */
export interface Server extends Target {
  stop(): Promise<void>
}

/** Our server, with the users that scenarios know. */
export async function startOurs(options: { readonly controllers: boolean }): Promise<Server> {
  const tokens = new Map(Object.values(users).map(({ token, name, uid, groups }) => [token, { name, uid, groups: [...groups] }]))
  const controlPlane = await startControlPlane({ port: 0, controllers: options.controllers ? 'all' : 'none', tokens })
  return { url: controlPlane.url ?? '', stop: () => controlPlane.stop() }
}

/** The real garbage collector looks for new kinds every 30 s. */
const realPatienceMs = 60_000

/** The real server. @throws {RealControlPlaneError} `NOT_BUILT`. */
export async function startReal(options: { readonly controllers: boolean }): Promise<Server> {
  const { url, stop } = await startRealControlPlane({ controllerManager: options.controllers })
  return { url, stop, ...(options.controllers ? { patienceMs: realPatienceMs } : {}) }
}

/** Servers, each started when the first scenario needs it: one beside controllers, one without. */
export class ServerPool {
  readonly #start: typeof startOurs
  readonly #servers = new Map<boolean, Promise<Server>>()

  constructor(start: typeof startOurs) {
    this.#start = start
  }

  for({ controllers }: Scenario): Promise<Server> {
    const server = this.#servers.get(controllers) ?? this.#start({ controllers })
    this.#servers.set(controllers, server)
    return server
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#servers.values()].map(async (server) => (await server).stop()))
  }
}
