import { notAcceptable, StatusError, unsupportedMediaType } from 'steersman/api'
import type { ObjectProtobuf } from '../contracts/index.js'

/** Protobuf in the envelope of Kubernetes. */
export const protobufType = 'application/vnd.kubernetes.protobuf'

/** Media types of whole bodies that this server reads and writes. */
export const bodyMediaTypes: readonly string[] = ['application/json', 'application/yaml', protobufType]
/** Those of watches. */
const streamMediaTypes: readonly string[] = ['application/json;stream=watch', `${protobufType};stream=watch`]
/** Those of a collection, which may be watched. */
export const collectionMediaTypes: readonly string[] = [...bodyMediaTypes, ...streamMediaTypes]

/** What the client wants to see instead of the object itself. */
export type Transformation = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'

/** How an answer is written. */
export interface AcceptedMedia {
  readonly mediaType: 'application/json' | 'application/yaml' | typeof protobufType
  /** What writes protobuf: there when that is the media type. */
  readonly protobuf?: ObjectProtobuf
  readonly transformation?: Transformation
  /** `v1` or `v1beta1` of `meta.k8s.io`. Meaningful with a transformation. */
  readonly transformationVersion: string
  /** Whether JSON is indented. */
  readonly pretty: boolean
}

/** One clause of an Accept header. */
export interface AcceptClause {
  readonly type: string
  readonly parameters: Readonly<Record<string, string>>
}

/** The clauses of an Accept header, best first. An empty header is `*` + `/*`. */
export function parseAccept(header: string | undefined): AcceptClause[] {
  if (header === undefined || header.trim() === '') return [{ type: '*/*', parameters: {} }]
  const weighted = header.split(',').map((text, order) => ({ ...parseClause(text), order }))
  return weighted
    .filter(({ type }) => type !== '')
    .sort((left, right) => right.weight - left.weight || left.order - right.order)
    .map(({ type, parameters }) => ({ type, parameters }))
}

function parseClause(text: string): AcceptClause & { readonly weight: number } {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim())
  const parameters: Record<string, string> = {}
  for (const part of rest) {
    const equals = part.indexOf('=')
    if (equals > 0) parameters[part.slice(0, equals).toLowerCase()] = part.slice(equals + 1)
  }
  const weight = Number(parameters.q ?? '1')
  return { type: type.toLowerCase(), parameters, weight: Number.isNaN(weight) ? 0 : weight }
}

/** What the negotiation of one endpoint may choose from. */
export interface NegotiationOptions {
  /** Whether `as=Table` and `as=PartialObjectMetadata` are offered. */
  readonly transformations: boolean
  /** What writes protobuf. Absent: it is not offered. */
  readonly protobuf?: ObjectProtobuf | undefined
  /** The objects are custom: protobuf has only their metadata. */
  readonly isCustom?: boolean
  /**
   * The media types of the route, for what is built in: that none of them is acceptable is found before anything else, and said in other words.
   * Absent: the route takes any.
   */
  readonly route?: readonly string[]
  readonly query?: URLSearchParams | undefined
  readonly userAgent?: string | undefined
}

/**
 * Chooses how to answer.
 *
 * @throws {StatusError} NotAcceptable when no clause can be met.
 */
export function negotiate(header: string | undefined, options: NegotiationOptions): AcceptedMedia {
  const clauses = parseAccept(header)
  if (options.route !== undefined) requireRoute(clauses, options.route)
  for (const clause of clauses) {
    const media = acceptClause(clause, options)
    if (media !== undefined) return { ...media, pretty: isPretty(clause, options) }
  }
  throw new StatusError(notAcceptable(bodyMediaTypes))
}

function acceptClause(
  clause: AcceptClause,
  { transformations, protobuf, isCustom = false }: NegotiationOptions,
): AcceptedMedia | undefined {
  const transformation = acceptTransformation(clause, transformations)
  if (transformation === undefined) return undefined
  if (clause.type === protobufType) {
    const isOffered = transformation.transformation === 'Table' ? false : transformation.transformation !== undefined || !isCustom
    return isOffered && protobuf !== undefined ? { mediaType: protobufType, protobuf, ...transformation, pretty: false } : undefined
  }
  const mediaType = matchBodyType(clause.type)
  return mediaType === undefined ? undefined : { mediaType, ...transformation, pretty: false }
}

/** @throws {StatusError} NotAcceptable, in the words of the real server's router, when no clause names a media type of the route. */
export function requireRoute(clauses: readonly AcceptClause[], route: readonly string[]): void {
  if (clauses.some(({ type }) => type === '*/*' || route.includes(type))) return
  const message = `406: Not Acceptable\n\nAvailable representations: ${route.join(', ')}`
  throw new StatusError({ ...notAcceptable([]), message, details: {} })
}

/**
 * Chooses how a watch is written, JSON lines or frames of protobuf, and its transformation. What no whole answer may be, no watch may be.
 *
 * @throws {StatusError} NotAcceptable when no clause can be met.
 */
export function negotiateStream(header: string | undefined, options: NegotiationOptions): AcceptedMedia {
  negotiate(header, options)
  for (const clause of parseAccept(header)) {
    const media = acceptClause(clause, options)
    if (media !== undefined && media.mediaType !== 'application/yaml') return media
  }
  throw new StatusError(notAcceptable(streamMediaTypes))
}

function matchBodyType(type: string): 'application/json' | 'application/yaml' | undefined {
  if (type === 'application/json' || type === '*/*' || type === 'application/*') return 'application/json'
  return type === 'application/yaml' || type === 'application/x-yaml' ? 'application/yaml' : undefined
}

type Accepted = Pick<AcceptedMedia, 'transformation' | 'transformationVersion'>

function acceptTransformation({ parameters }: AcceptClause, offered: boolean): Accepted | undefined {
  const as = parameters.as
  if (as === undefined || as === '') return { transformationVersion: 'v1' }
  const version = parameters.v ?? ''
  if (!offered || parameters.g !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined
  if (as !== 'Table' && as !== 'PartialObjectMetadata' && as !== 'PartialObjectMetadataList') return undefined
  return { transformation: as, transformationVersion: version }
}

/** People at a terminal or in a browser get indented JSON without asking. */
function isPretty({ parameters }: AcceptClause, { query, userAgent = '' }: NegotiationOptions): boolean {
  const asked = query?.get('pretty')
  if (asked !== null && asked !== undefined) return asked !== 'false' && asked !== '0'
  if (parameters.pretty !== undefined) return parameters.pretty !== '0'
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(userAgent)
}

/** The media type of a Content-Type header without its parameters; JSON when there is none. */
export function contentType(header: string | undefined): string {
  const type = (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return type === '' ? 'application/json' : type
}

/** @throws {StatusError} UnsupportedMediaType when a body of this type is not read. */
export function requireBodyType(header: string | undefined): 'application/json' | 'application/yaml' {
  const type = contentType(header)
  if (type === 'application/json' || type === 'application/yaml') return type
  throw new StatusError(unsupportedMediaType(bodyMediaTypes))
}
