import { startControlPlane } from '@steersman/apiserver'
import { startRealControlPlane } from '../src/real-control-plane.js'
import { users } from '../src/users.js'
import type { Scenario } from './language/index.js'
import type { Target } from './run/index.js'

/** A server that scenarios run on. */
export interface Server extends Target {
  stop(): Promise<void>
}

/** What a server must be for a scenario. */
export interface ServerOptions {
  readonly controllers: boolean
  readonly allApis?: boolean
}

/** Our server, with the users that scenarios know. */
export async function startOurs({ controllers, allApis = false }: ServerOptions): Promise<Server> {
  const tokens = new Map(Object.values(users).map(({ token, name, uid, groups }) => [token, { name, uid, groups: [...groups] }]))
  const runtimeConfig: Readonly<Record<string, boolean>> = allApis ? { 'api/all': true } : {}
  const controlPlane = await startControlPlane({ port: 0, controllers: controllers ? 'all' : 'none', tokens, runtimeConfig })
  return { url: controlPlane.url ?? '', stop: () => controlPlane.stop() }
}

/** The real garbage collector looks for new kinds every 30 s. */
const realPatienceMs = 60_000

/** The real server. @throws {RealControlPlaneError} `NOT_BUILT`. */
export async function startReal({ controllers, allApis = false }: ServerOptions): Promise<Server> {
  const flags = allApis ? ['--runtime-config=api/all=true'] : []
  const { url, stop } = await startRealControlPlane({ controllerManager: controllers, flags })
  return { url, stop, ...(controllers ? { patienceMs: realPatienceMs } : {}) }
}

/** Servers, each started when the first scenario needs it: beside controllers or without, with every API or those that are on by default. */
export class ServerPool {
  readonly #start: typeof startOurs
  readonly #servers = new Map<string, Promise<Server>>()

  constructor(start: typeof startOurs) {
    this.#start = start
  }

  for({ controllers, allApis = false }: Scenario): Promise<Server> {
    const key = `${controllers} ${allApis}`
    const server = this.#servers.get(key) ?? this.#start({ controllers, allApis })
    this.#servers.set(key, server)
    return server
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#servers.values()].map(async (server) => (await server).stop()))
  }
}
