import type { CanonicalAnswer, Difference } from '../compare/index.js'
import type { Json, JsonObject, Scenario } from '../language/index.js'

/** A difference that random requests run into again and again, by what it looks like. */
export interface KnownDifference {
  readonly shows: RegExp
  /** Only in scenarios that ask for this. */
  readonly about?: string
  readonly reason: string
}

const knownDifferences: readonly KnownDifference[] = [
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
    shows:
      /InitialNamesAccepted|409 (?:Operation cannot be fulfilled|object is being deleted)|cells\[\d\]|spec\.names\.kind|deletionTimestamp|status\.(?:conditions|acceptedNames)|404 |already exists|field is immutable/,
    about: '/customresourcedefinitions',
    reason: 'A definition is established at once, not some seconds later in a write of its own, and goes at once.',
  },
  {
    shows: /OpenAPIV3Schema/,
    about: '/customresourcedefinitions',
    reason: "A refusal shows the schema of a version as it came, not as the real server's own struct.",
  },
  {
    shows: /storedVersions|must be None if spec\.preserveUnknownFields/,
    about: '/customresourcedefinitions',
    reason: 'Of a definition that is wrong in several ways, what its status says and how it converts are looked at in another order.',
  },
  {
    shows: /^body\.metadata\.generation|object\.metadata\.generation|items\[\d+\]\.metadata\.generation/,
    about: 'autoscaling.alpha.kubernetes.io/behavior',
    reason: 'An annotation that stands for behaviour is filled in when it is read again, which the real server takes for a change.',
  },
  {
    shows: /^status "422 .*(?:field is immutable|pod updates may not change).* 200$/,
    about: '{}',
    reason: 'An empty struct behind a pointer is as none: what refuses every change does not see it.',
  },
  {
    shows: /pod updates may not change/,
    about: ':{}',
    reason: 'An empty struct behind a pointer is as none in the difference of two pods.',
  },
  {
    shows: /provided IP is already allocated/,
    about: '/services',
    reason: 'An address that an IPAddress stands for is taken, which a dry run of the real server does not look at.',
  },
  {
    shows: /^status .* 0$/,
    reason: 'What an answer holds that is not there for another reason of these cannot be referred to.',
  },
  {
    shows: /must be no more than \d+ (?:bytes|characters)/,
    about: 'resource.k8s.io',
    reason: 'Which of two rules says that a name is too long, one in bytes and one in characters, depends on what else is wrong.',
  },
  {
    shows: /strconv\.ParseInt/,
    about: 'deprecated.daemonset.template.generation',
    reason: 'An annotation that cannot be read as the field that it stands for is found after the name.',
  },
  {
    shows: /admin-access/,
    reason: 'Whether a namespace may have administrators of devices is only looked at when nothing else is wrong.',
  },
  {
    shows: /defaultUser/,
    reason: 'The user of the files of a volume is an alpha feature, and left out before it is looked at.',
  },
  {
    shows: /^body\.\S+ \[\] null$/,
    reason: 'An update that changes nothing is answered with what was sent, not with what storage would give back.',
  },
  {
    shows: /cluster-ip/,
    about: 'dryRun=All',
    reason: 'A dry run of a service takes the address that the next one gets.',
  },
  {
    shows: /^body\.metadata\.labels |metadata\.labels.*a valid label must be/,
    about: '/jobs',
    reason: 'The real server gives a job the labels of its template when it reads the job again, here they are there at once.',
  },
  {
    shows: /field is immutable when `immutable` is set/,
    about: 'merge-patch',
    reason: 'An empty map that a merge patch brings is none to the real server, while one in a body is a change.',
  },
  {
    shows: /foregroundDeletion/,
    about: '/api/v1/namespaces/',
    reason: 'What a second request to delete a namespace says of its dependents counts.',
  },
  {
    shows: /managedFields/,
    about: '"managedFields"',
    reason: 'managedFields inside templates are kept as they come but for empty ones.',
  },
  {
    shows: /^(?:status|body\.metadata\.labels|body\.spec\.parentRef)/,
    about: '/ipaddresses',
    reason: 'The real server removes addresses that no service has, and may give them to one.',
  },
  {
    shows: /continue\.start/,
    about: '/events',
    reason: 'A token for the rest of a list of events begins without a slash.',
  },
  {
    shows: /data: Invalid value|^body\.details\.causes\[\d+\]\.message "Invalid value: \{/,
    about: '/controllerrevisions',
    reason: 'The real server writes the data of a revision again, sorted and with HTML escaped, and takes that for a change.',
  },
  {
    shows: /deletionTimestamp|Terminating|409 object is being deleted/,
    about: '/finalize',
    reason: 'A namespace without finalizers of its own goes at once, not at a second request.',
  },
  {
    shows: /Duplicate value: \{\\"(?:name|driver)\\":\\"\\"/,
    reason: 'An item of a list that occurs twice is shown without what Go writes for a name that is not there.',
  },
  {
    shows: /Dangling|409 Operation cannot be fulfilled|resourceVersion "<rv/,
    about: '/flowschemas',
    reason: 'Whether the level of a flow schema is there is written down at once, not some seconds later.',
  },
  {
    shows: /system:anonymous/,
    about: '/tokenreviews',
    reason: 'A token that begins with a space is none to the real server, which then finds that nobody in particular asks.',
  },
  {
    shows: /deprecated\.daemonset\.template\.generation|autoscaling\.alpha\.kubernetes\.io/,
    about: 'as=PartialObjectMetadata',
    reason: 'Annotations that stand for fields of another version are part of the metadata.',
  },
  {
    shows: /metadata\.generateName/,
    reason: 'Some kinds look at generateName even on an update, where it means nothing.',
  },
  {
    shows: /^body\.(?:items\[\d+\]\.|rows\[\d+\]\.object\.)?metadata\.generation \d+ \d+$/,
    about: ':[]',
    reason: 'An empty list where there was none is a change to Go, that makes a new generation.',
  },
  {
    shows: /selfLink/,
    reason: 'What is not stored, as in a dry run, shows the selfLink that a client made up.',
  },
  {
    shows: /^status 0 /,
    reason: 'The real server panics over an object in place of the key of a strategic merge and closes the connection; ours refuses it.',
  },
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
    shows: /not configured on this cluster/,
    about: '/services',
    reason:
      'A headless service that gets a selector may have its families from the request or from before; the real server tells them apart.',
  },
  {
    shows: /\(v1\.Event\) to \(events\.Event\): unknown conversion/,
    about: '/events',
    reason: 'A patch that makes an event one of the other group is read by the fields of that group, and then refused for what is missing.',
  },
  {
    shows: /into Go value of type v1\.ObjectMeta/,
    reason: 'Of a custom resource with malformed metadata and another version, the real server finds the metadata first.',
  },
]

const ownersReason =
  'A write that changes nothing but who owns fields is a change to the real server: it keeps managedFields, and the revision says so.'

export const knownReasons: readonly string[] = [...knownDifferences.map(({ reason }) => reason), ownersReason]

/** Whether a difference is but the revision of a write that changed managedFields alone. It explains itself, not what else differs in the answer. */
export function isOfOwners({ path, expected, got }: Difference): boolean {
  const [later, earlier] = [expected, got].map((value) => Number(/^<rv-([\d.]+)>$/.exec(String(value))?.[1]))
  return path.endsWith('resourceVersion') && (later ?? Number.NaN) > (earlier ?? Number.NaN)
}

/** Why a difference is known; `undefined`: it is not. */
export function knownReason(scenario: Scenario, { path, expected, got }: Difference): string | undefined {
  const text = `${path} ${JSON.stringify(expected)} ${JSON.stringify(got)}`
  return knownDifferences.find(
    ({ shows, about }) => shows.test(text) && (about === undefined || JSON.stringify(scenario.steps).includes(about)),
  )?.reason
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
