/**
 * Subresources that are a conversation with a node: logs, terminals, ports, proxies. There is no node that could answer here, so they say what the real server says
 * when it finds that out.
 */
import type { ObjectKey, UnstructuredObject } from 'steersman/api'
import { badRequest, fieldError, invalid, notFound, StatusError, serviceUnavailable } from 'steersman/api'
import type { Endpoints, Node, Pod } from 'steersman/api/types/core/v1'
import type { ServedSubresource, SubresourceStore, UpdateResult } from '../../contracts/index.js'
import { getObject } from '../list.js'
import type { Decode } from '../store.js'
import type { StoreContext } from '../store-context.js'
import { resourcePrefix } from '../store-context.js'
import { refuse } from './object-subresource.js'

/** Answers a request: resolves when there is nothing to say. @throws {StatusError} what stands in the way. */
export type Connect = (context: StoreContext, key: ObjectKey, query: URLSearchParams) => Promise<void>

/** A subresource that is a conversation. */
export class ConnectSubresource implements SubresourceStore {
  readonly served: ServedSubresource
  readonly decode: Decode
  readonly #context: StoreContext
  readonly #connect: Connect

  constructor(served: ServedSubresource, context: StoreContext, decode: Decode, connect: Connect) {
    this.served = served
    this.decode = decode
    this.#context = context
    this.#connect = connect
  }

  connect(key: ObjectKey, query: URLSearchParams): Promise<void> {
    return this.#connect(this.#context, key, query)
  }

  get(): Promise<UnstructuredObject> {
    return refuse(this.#context, 'get')
  }

  update(): Promise<UpdateResult> {
    return refuse(this.#context, 'update')
  }

  create(): Promise<UnstructuredObject> {
    return refuse(this.#context, 'create')
  }
}

/** The log of a container: empty while the pod has no node. */
export const connectLog: Connect = async (context, key, query) => {
  checkLogOptions(key.name, query)
  const pod = await getPod(context, key)
  const container = chooseContainer(pod, query)
  const nodeName = pod.spec?.nodeName
  if (!nodeName) return
  const address = await nodeAddress(context, nodeName)
  throw plainFailure(`Get "https://${address}/containerLogs/${key.namespace}/${key.name}/${container}": ${refusedBy(address)}`)
}

/** A command in a container, or its terminal. */
export const connectCommand: Connect = async (context, key, query) => {
  const pod = await getPod(context, key)
  chooseContainer(pod, query)
  await requireNode(context, pod)
}

/** A port of a pod. */
export const connectPort: Connect = async (context, key) => requireNode(context, await getPod(context, key))

/** HTTP to a pod. */
export const connectPodProxy: Connect = async (context, key) => {
  const { name, port } = splitTarget(key.name, 'pod')
  const pod = await getPod(context, { ...key, name })
  const address = pod.status?.podIP ?? ''
  if (!isReachable(address)) throw notAllowed()
  throw unreachable(`${address}:${port === '' ? 80 : port}`)
}

/** HTTP to the pods of a service. */
export const connectServiceProxy: Connect = async (context, key) => {
  const { name } = splitTarget(key.name, 'service')
  const stored = await context.storage.get(`${resourcePrefix('', 'endpoints')}${key.namespace}/${name}`)
  const subsets = (stored as unknown as Endpoints | undefined)?.subsets ?? []
  const address = subsets.flatMap(({ addresses = [] }) => addresses)[0]?.ip
  if (address === undefined) throw new StatusError(serviceUnavailable(`no endpoints available for service "${name}"`))
  throw unreachable(address)
}

/** HTTP to a node. */
export const connectNodeProxy: Connect = async (context, key) => {
  const { name } = splitTarget(key.name, 'node')
  const address = await nodeAddress(context, name)
  if (!isReachable(address.replace(/:\d+$/, ''))) throw notAllowed()
  throw unreachable(address)
}

const numbers = ['sinceSeconds', 'tailLines', 'limitBytes'] as const

function checkLogOptions(name: string, query: URLSearchParams): void {
  const values = Object.fromEntries(numbers.map((option) => [option, readNumber(query.get(option))]))
  const { tailLines, limitBytes, sinceSeconds } = values
  const errors = []
  if (tailLines !== undefined && tailLines < 0)
    errors.push(fieldError.invalid('tailLines', tailLines, 'must be greater than or equal to 0'))
  if (limitBytes !== undefined && limitBytes < 1) errors.push(fieldError.invalid('limitBytes', limitBytes, 'must be greater than 0'))
  if (sinceSeconds !== undefined && query.has('sinceTime')) {
    errors.push(fieldError.forbidden('', 'at most one of `sinceTime` or `sinceSeconds` may be specified'))
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(fieldError.invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'))
  }
  if (query.has('stream')) errors.push(fieldError.forbidden('stream', 'may not be specified'))
  if (errors.length > 0) throw new StatusError(invalid('PodLogOptions', '', name, errors))
}

function readNumber(text: string | null): number | undefined {
  if (!text) return undefined
  if (!/^[+-]?\d+$/.test(text)) throw new StatusError(badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`))
  return Number(text)
}

async function getPod(context: StoreContext, key: ObjectKey): Promise<Pod> {
  return (await getObject(context, key)) as unknown as Pod
}

function chooseContainer({ metadata, spec }: Pod, query: URLSearchParams): string {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? { containers: [] }
  const names = [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name)
  const container = query.get('container') ?? ''
  if (container === '') {
    const [only] = containers
    if (containers.length === 1 && only !== undefined) return only.name
    const message = `a container name must be specified for pod ${metadata.name}, choose one of: [${names.join(' ')}]`
    throw new StatusError(badRequest(message))
  }
  if (names.includes(container)) return container
  throw new StatusError(badRequest(`container ${container} is not valid for pod ${metadata.name}`))
}

async function requireNode(context: StoreContext, { metadata, spec }: Pod): Promise<void> {
  if (!spec?.nodeName) throw new StatusError(badRequest(`pod ${metadata.name} does not have a host assigned`))
  await nodeAddress(context, spec.nodeName)
  throw new StatusError(badRequest('Upgrade request required'))
}

const addressTypes = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP']
const kubeletPort = 10_250

/** Where the kubelet of a node listens. A node that does not exist is said to be a thing of the kind that was asked for. */
async function nodeAddress(context: StoreContext, name: string): Promise<string> {
  const node = (await context.storage.get(resourcePrefix('', 'nodes') + name)) as unknown as Node | undefined
  if (node === undefined) throw new StatusError(notFound(context.type, name))
  const addresses = node.status?.addresses ?? []
  const found = addressTypes.flatMap((type) => addresses.filter((address) => address.type === type))[0]
  if (found === undefined) {
    const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ')
    throw plainFailure(`no preferred addresses found; known addresses: [${known}]`)
  }
  return `${found.address}:${node.status?.daemonEndpoints?.kubeletEndpoint?.Port || kubeletPort}`
}

/** Reads `name`, `name:port` or `scheme:name:port`. */
function splitTarget(text: string, what: string): { readonly name: string; readonly port: string } {
  const parts = text.split(':')
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts]
  const isRight = parts.length <= 3 && name !== '' && (parts.length < 3 || ['', 'http', 'https'].includes(scheme))
  if (!isRight) throw new StatusError(badRequest(`invalid ${what} request ${JSON.stringify(text)}`))
  return { name, port }
}

/** The real server connects to nothing that could be itself. */
function isReachable(address: string): boolean {
  return address !== '' && !/^(?:127\.|0\.0\.0\.0$|169\.254\.|::1?$|fe80:)/i.test(address)
}

function notAllowed(): StatusError {
  return new StatusError(badRequest('address not allowed'))
}

function refusedBy(address: string): string {
  return `dial tcp ${address}: connect: connection refused`
}

function unreachable(address: string): StatusError {
  return new StatusError(serviceUnavailable(`error trying to reach service: ${refusedBy(address)}`))
}

/** The real server tells errors that are no refusals as they are. */
function plainFailure(message: string): StatusError {
  return new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 })
}
