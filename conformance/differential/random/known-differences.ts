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
  { shows: /application\/vnd\.kubernetes\.protobuf/, reason: 'Protobuf is not spoken.' },
  { shows: /application\/apply-patch\+yaml/, reason: 'Server-side apply is not there yet.' },
  { shows: /pod updates may not change fields other than/, reason: 'The real server adds a difference of the two specs.' },
  {
    shows: /^body\.metadata\.resourceVersion "<rv-[\d.]+>" "<rv-[\d.]+>"$/,
    about: '/services',
    reason: 'The real server keeps the addresses of services as objects of their own, whose writes count.',
  },
  {
    shows: /failed to allocate IP: IPAddress\.networking\.k8s\.io/,
    about: '/services',
    reason: 'The real server tries to keep the address of a service before it finds that the service has no name.',
  },
  {
    shows: /unrecognized type: |cannot restore /,
    about: 'application/strategic-merge-patch+json',
    reason:
      'What a strategic merge patch makes is decoded by other code of the real server, with other words for a value of the wrong type.',
  },
  {
    shows: /^headers\.warning "299 - \\"unknown field/,
    about: 'random.example.com/v1x',
    reason: 'In a custom resource of another version the real server knows no field, before it finds that the version is wrong.',
  },
]

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
  return { ...answer, body: { ...body, message: '<as the causes say>', details: { ...details, causes } } }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
