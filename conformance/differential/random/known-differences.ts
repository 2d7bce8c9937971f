import type { CanonicalAnswer, Difference } from '../compare/index.js'
import type { Json, JsonObject, Scenario } from '../language/index.js'

/** A difference that random requests run into again and again, by what it looks like. */
export interface KnownDifference {
  readonly shows: RegExp
  /** Only in scenarios that ask for this. */
  readonly about?: string
  readonly reason: string
}

export const knownDifferences: readonly KnownDifference[] = [
  { shows: /application\/apply-patch\+yaml/, reason: 'Server-side apply is not there yet.' },
  {
    shows: /compilation failed|must evaluate to|failed to compile|no such key: |undeclared reference/,
    reason: 'Expressions of policies, webhooks and devices are not compiled: nobody evaluates them yet.',
  },
  {
    shows: /managedFields.*must be empty/,
    reason: 'A refusal shows the metadata of a review, to which the real server has added managedFields by then.',
  },
  {
    shows: /InitialNamesAccepted/,
    about: '/customresourcedefinitions',
    reason: 'A definition is established at once, not some seconds later.',
  },
  {
    shows: /metadata\.generateName/,
    reason: 'Some kinds look at generateName even on an update, where it means nothing.',
  },
  {
    shows: /generation|<rv-[\d.]+>.*<rv-[\d.]+>/,
    about: '/networkpolicies',
    reason: 'An empty list where there was none is a change of a network policy to Go.',
  },
  { shows: /pod updates may not change fields other than/, reason: 'The real server adds a difference of the two specs.' },
  {
    shows: /<rv-[\d.]+>.*<rv-[\d.]+>/,
    about: '/services',
    reason: 'The real server keeps the addresses of services as objects of their own, whose writes count.',
  },
  {
    shows: /failed to allocate IP: IPAddress\.networking\.k8s\.io/,
    about: '/services',
    reason: 'The real server tries to keep the address of a service before it finds that the service has no name.',
  },
  {
    shows: /Invalid value: [\\"]+map\[/,
    about: 'application/strategic-merge-patch+json',
    reason:
      'What a strategic merge patch makes is decoded by other code of the real server, with other words for a value of the wrong type.',
  },
  {
    shows: /not configured on this cluster/,
    about: '/services',
    reason:
      'A headless service that gets a selector may have its families from the request or from before; the real server tells them apart.',
  },
  {
    shows: /into Go value of type v1\.ObjectMeta/,
    reason: 'Of a custom resource with malformed metadata and another version, the real server finds the metadata first.',
  },
  {
    shows: /Invalid value: \{\}: `selector` does not match template `labels`/,
    reason: 'An empty map of labels in a template is said as none.',
  },
]

export const knownReasons: readonly string[] = knownDifferences.map(({ reason }) => reason)

export function isKnown(scenario: Scenario, { path, expected, got }: Difference): boolean {
  const text = `${path} ${JSON.stringify(expected)} ${JSON.stringify(got)}`
  return knownDifferences.some(
    ({ shows, about }) => shows.test(text) && (about === undefined || JSON.stringify(scenario.steps).includes(about)),
  )
}

/** The answer without the order of what is wrong with an object: of fields of a custom resource the real server tells it in any order. */
export function withoutOrderOfCauses(answer: CanonicalAnswer): CanonicalAnswer {
  const { body } = answer
  const details = isObject(body) && isObject(body.details) ? body.details : undefined
  if (!isObject(body) || !Array.isArray(details?.causes) || details.causes.length < 2) return answer
  const causes = [...(details.causes as readonly Json[])].sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1))
  const message = causes.map((cause) => JSON.stringify(cause)).join(', ')
  return { ...answer, body: { ...body, message, details: { ...details, causes } } }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
