import type { ClientConfig } from 'steersman/client'
import { createInProcessTransport, type Environment, systemEnvironment, type Transport, type TransportUser } from 'steersman/environment'
import { discardLogger, type Logger } from 'steersman/internal'
import {
  admissionChain,
  defaultIngressClass,
  defaultStorageClass,
  defaultTolerationSeconds,
  deviceAdminAccess,
  limitRanger,
  namespaceLifecycle,
  persistentVolumeClaimResize,
  priorityAdmission,
  runtimeClassAdmission,
  serviceAccountAdmission,
  storageObjectInUseProtection,
  taintNodesByCondition,
} from '../admission/index.js'
import { type AuthorizationMode, createAccessControl, JwtSigner, mastersGroup, type TokenSignerOptions } from '../auth/index.js'
import type { AdmissionPlugin, UserInfo } from '../contracts/index.js'
import { type ApiHandler, createRequestHandler, type OpenApi, version } from '../endpoints/index.js'
import { bootstrap, ResourceRegistry, type RuntimeConfig } from '../registry/index.js'
import { loadOpenApi, type OpenApiDocuments } from '../schema/index.js'
import { MemoryStorage } from '../storage/index.js'
import {
  type ComponentOptions,
  type ControllerFactory,
  type ControllerSelection,
  type NodeFactory,
  RunningComponents,
  selectControllers,
} from './components.js'
import type { Exposure, ServingFiles } from './exposure.js'

/** Options of {@link startControlPlane}. */
export interface ControlPlaneOptions {
  /** Time, randomness and the network. With a network of its own the server listens there instead of on a socket. @default systemEnvironment */
  readonly environment?: Environment
  /** Listen on this port; 0: one that is free. @default not at all, unless a kubeconfig is asked for */
  readonly port?: number
  /** Name or address to listen on. @default 127.0.0.1; in a network of its own the environment's host name */
  readonly host?: string
  /** Write a kubeconfig for an administrator there, readable by its owner only. */
  readonly kubeconfigPath?: string
  /** What to serve with on a socket. @default made for this server alone, with credentials of an administrator that its authority signs */
  readonly certificates?: ServingFiles
  /** How many simulated nodes there are. @default 0 */
  readonly nodes?: number
  /** Which built-in controllers run. @default 'all' */
  readonly controllers?: ControllerSelection
  /** Where objects are kept. @default 'memory' */
  readonly storage?: 'memory'
  /**
   * Which built-in APIs are served: `{ 'api/all': true }`, `{ 'resource.k8s.io/v1beta1': true, 'apps/v1/deployments': false }`.
   *
   * @default those that a real API server serves unless told otherwise
   */
  readonly runtimeConfig?: RuntimeConfig
  /** Users by bearer token. @default none */
  readonly tokens?: ReadonlyMap<string, TransportUser>
  /**
   * Who may do what: by roles and bindings; members of `system:masters` everything and others nothing; or everybody everything, without credentials
   * too. In every mode members of `system:masters` may do everything.
   *
   * @default 'rbac'
   */
  readonly authorization?: AuthorizationMode
  /** Tokens of service accounts. @default issued by `https://kubernetes.default.svc`, with a key of this server's own */
  readonly serviceAccounts?: Partial<TokenSignerOptions>
  /** @default one that drops everything */
  readonly logger?: Logger
}

/** A running control plane. */
export interface ControlPlane {
  /** `https://host:port`; `undefined` when it does not listen. */
  readonly url: string | undefined
  /** How an administrator reaches it from outside; `undefined` when it does not listen, or with certificates of another authority. */
  readonly clientConfig: ClientConfig | undefined
  /** The text of a kubeconfig for an administrator; `undefined` when it does not listen on a socket. It holds a private key. */
  readonly kubeconfig: string | undefined
  /**
   * A transport in this process, without sockets and tokens.
   *
   * @param user who asks. @default an administrator
   */
  transport(user?: TransportUser): Transport
  /** Stops components, ends watches and closes the server, within a second. Resolves when nothing is left. May be called again. */
  stop(): Promise<void>
}

/** The controller that creates the service account `default` of every namespace. */
const serviceAccountController = 'serviceaccount-controller'

/** Who built-in components are. */
const componentUser: TransportUser = { name: 'system:kube-controller-manager', groups: [mastersGroup] }
const administrator: TransportUser = { name: 'kubernetes-admin', groups: [mastersGroup] }

/**
 * Starts an API server with its storage, and the controllers and nodes asked for. Resolves when it answers requests; certificates are made, and
 * sockets opened, only when it shall listen.
 *
 * @throws {ListenError} when the port cannot be used, {KubeconfigWriteError}, {RangeError} for a controller that does not exist or a number of nodes
 * that is none.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { environment = systemEnvironment, logger = discardLogger } = options
  const { controllers, names, createNodes, nodes } = await loadComponents(options)
  const storage = new MemoryStorage({ monotonicMs: () => environment.monotonicMs() })
  const signer = new JwtSigner({ issuer: defaultIssuer, ...options.serviceAccounts })
  const { runtimeConfig = {} } = options
  const registry = await ResourceRegistry.open({ storage, environment, tokenSigner: signer, runtimeConfig })
  const access = createAccessControl({
    mode: options.authorization ?? 'rbac',
    registry,
    tokens: usersOf(options.tokens),
    signer,
    now: () => environment.now(),
  })
  registry.serveReviews(access.reviews)
  let exposure: Exposure | undefined
  const handler = createRequestHandler({
    registry,
    environment,
    logger,
    version,
    authenticator: access.authenticator,
    authorizer: access.authorizer,
    admission: admissionChain([...admissionPlugins(registry, environment, names), ...access.admission]),
    tokenIssuer: signer,
    openapi: lazyOpenApi(environment),
    serverAddress: () => exposure?.url?.replace('https://', '') ?? '',
  })
  await bootstrap(registry, { securePort: options.port || defaultPort })
  // Histories begin here: a revision that a client kept from another life of the server is, where that can be told, too old.
  await storage.compact(await storage.currentRevision())
  const transports = new Transports(handler, environment)
  exposure = await expose(options, handler, environment, logger)
  // In a network of its own components ask as any client does, so that what they do can be traced and disturbed.
  const openComponentTransport = (): Transport =>
    environment.network === undefined || exposure === undefined
      ? transports.open(componentUser)
      : environment.network.connect(exposure.url, { user: componentUser })
  // Each component closes its transport when it stops.
  const rootCertificate = exposure?.rootCertificate
  const componentOptions = (): ComponentOptions => ({
    transport: openComponentTransport(),
    environment,
    logger,
    ...(rootCertificate === undefined ? {} : { rootCertificate }),
  })
  const components = new RunningComponents(
    [...controllers.create(names, componentOptions()), ...createNodes(nodes, componentOptions())],
    logger,
  )
  let stopping: Promise<void> | undefined
  return {
    url: exposure?.url,
    clientConfig: exposure?.clientConfig,
    kubeconfig: exposure?.kubeconfig,
    transport: (user = administrator) => transports.open(user),
    stop() {
      stopping ??= stop()
      return stopping
    },
  }

  async function stop(): Promise<void> {
    await Promise.all([components.stop(), exposure?.close()])
    await transports.close()
    await storage.close()
  }
}

/** What makes documents is loaded with the first of them. */
function lazyOpenApi(environment: Environment): OpenApi {
  let loading: Promise<OpenApiDocuments> | undefined
  const load = () => {
    loading ??= environment.hold(loadOpenApi(`${version.major}.${version.minor}`))
    return loading
  }
  return {
    groupVersion: async (groupVersion) => (await load()).groupVersion(groupVersion),
    root: async (name) => (await load()).root(name),
    swagger: async (served) => (await load()).swagger(served),
  }
}

/** Who issues tokens of service accounts unless told otherwise. */
const defaultIssuer = 'https://kubernetes.default.svc'

/** Where a server in a network of its own listens. */
const defaultPort = 6443

function usersOf(tokens: ControlPlaneOptions['tokens']): ReadonlyMap<string, UserInfo> {
  return new Map(Array.from(tokens ?? [], ([token, user]) => [token, { ...user, groups: user.groups ?? [] }]))
}

/** Pods need their service account only where a controller creates the accounts. */
function admissionPlugins(registry: ResourceRegistry, environment: Environment, controllers: readonly string[]): AdmissionPlugin[] {
  const random = () => environment.random()
  const accounts = controllers.includes(serviceAccountController) ? [serviceAccountAdmission(registry, random)] : []
  return [
    namespaceLifecycle(registry),
    limitRanger(registry),
    ...accounts,
    taintNodesByCondition,
    priorityAdmission(registry),
    defaultTolerationSeconds,
    defaultStorageClass(registry),
    storageObjectInUseProtection,
    persistentVolumeClaimResize(registry),
    runtimeClassAdmission(registry),
    defaultIngressClass(registry),
    deviceAdminAccess(registry),
  ]
}

/** Loads what is asked for, and checks it before anything is started. */
async function loadComponents(options: ControlPlaneOptions) {
  const { controllers: selection = 'all', nodes = 0 } = options
  if (!Number.isInteger(nodes) || nodes < 0) throw new RangeError(`Cannot start ${nodes} nodes: expected a whole number, 0 or more`)
  const { environment = systemEnvironment } = options
  const controllers = selection === 'none' ? noControllers : await environment.hold(loadControllers())
  const createNodes = nodes === 0 ? noNodes : await environment.hold(loadNodes())
  return { controllers, names: selectControllers(controllers, selection), createNodes, nodes }
}

const noControllers: ControllerFactory = { names: [], aliases: {}, create: () => [] }
const noNodes: NodeFactory = () => []

/** Controllers are loaded only when some shall run. */
async function loadControllers(): Promise<ControllerFactory> {
  const { builtinControllers, controllerAliases, createBuiltinControllers } = await import('../controllers/index.js')
  return { names: Object.keys(builtinControllers), aliases: controllerAliases, create: createBuiltinControllers }
}

async function loadNodes(): Promise<NodeFactory> {
  const { createSimulatedNodes } = await import('../nodes/index.js')
  return createSimulatedNodes
}

async function expose(
  options: ControlPlaneOptions,
  handler: ApiHandler,
  environment: Environment,
  logger: Logger,
): Promise<Exposure | undefined> {
  const { port, host, kubeconfigPath, certificates } = options
  if (port === undefined && kubeconfigPath === undefined && environment.network === undefined) return undefined
  const { listenInNetwork, listenOnSocket } = await environment.hold(import('./exposure.js'))
  if (environment.network !== undefined) {
    const url = `https://${host ?? environment.hostname()}:${port || defaultPort}`
    return listenInNetwork(environment.network, url, handler, administrator)
  }
  return listenOnSocket({
    handler,
    environment,
    logger,
    host: host ?? '127.0.0.1',
    port: port ?? 0,
    administrator,
    ...(certificates === undefined ? {} : { certificates }),
    ...(kubeconfigPath === undefined ? {} : { kubeconfigPath }),
  })
}

/** The transports handed out, so that they can be closed together. */
class Transports {
  readonly #handler: ApiHandler
  readonly #environment: Environment
  readonly #open: Transport[] = []

  constructor(handler: ApiHandler, environment: Environment) {
    this.#handler = handler
    this.#environment = environment
  }

  open(user: TransportUser): Transport {
    const transport = createInProcessTransport((request) => this.#handler(request), this.#environment, { user })
    this.#open.push(transport)
    return transport
  }

  async close(): Promise<void> {
    for (const transport of this.#open) await transport.close()
  }
}
