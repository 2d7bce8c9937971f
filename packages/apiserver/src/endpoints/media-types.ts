import { notAcceptable, StatusError, unsupportedMediaType } from 'steersman/api'

/** Media types of whole bodies that this server reads and writes. */
export const bodyMediaTypes: readonly string[] = ['application/json', 'application/yaml']

/** What the client wants to see instead of the object itself. */
export type Transformation = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'

/** How an answer is written. */
export interface AcceptedMedia {
  readonly mediaType: 'application/json' | 'application/yaml'
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
  readonly query?: URLSearchParams | undefined
  readonly userAgent?: string | undefined
}

/**
 * Chooses how to answer.
 *
 * @throws {StatusError} NotAcceptable when no clause can be met.
 */
export function negotiate(header: string | undefined, options: NegotiationOptions): AcceptedMedia {
  for (const clause of parseAccept(header)) {
    const mediaType = matchBodyType(clause.type)
    if (mediaType === undefined) continue
    const transformation = acceptTransformation(clause, options.transformations)
    if (transformation === undefined) continue
    return { mediaType, ...transformation, pretty: isPretty(clause, options) }
  }
  throw new StatusError(notAcceptable(bodyMediaTypes))
}

/**
 * Checks that a watch may be written as JSON lines, and chooses its transformation.
 *
 * @throws {StatusError} NotAcceptable when no clause can be met.
 */
export function negotiateStream(header: string | undefined): AcceptedMedia {
  for (const clause of parseAccept(header)) {
    if (matchBodyType(clause.type) !== 'application/json') continue
    const transformation = acceptTransformation(clause, true)
    if (transformation !== undefined) return { mediaType: 'application/json', ...transformation, pretty: false }
  }
  throw new StatusError(notAcceptable(['application/json;stream=watch']))
}

function matchBodyType(type: string): AcceptedMedia['mediaType'] | undefined {
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
