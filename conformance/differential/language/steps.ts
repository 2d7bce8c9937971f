/** JSON as it goes over the wire. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** Subjects that are about what requests do. */
export const requestAreas = [
  'errors',
  'selectors',
  'paging',
  'watch',
  'patch',
  'subresources',
  'custom resources',
  'delete',
  'garbage collection',
  'discovery',
  'built-in kinds',
  'validation',
] as const

/** The subjects that scenarios exercise; each has its own file of scenarios, folder of golden files and line in the report. */
export const areas = [
  ...requestAreas,
  'kinds admissionregistration',
  'kinds apiregistration',
  'kinds flowcontrol',
  'kinds resource',
  'every resource',
  'other versions',
  'kinds rbac',
  'authentication',
  'authorization',
  'kinds certificates',
  'kinds core',
  'kinds storage',
  'kinds limits',
  'kinds networking',
  'kinds scheduling',
  'kinds apps',
  'kinds batch',
  'kinds autoscaling',
  'kinds policy',
  'kinds pods',
] as const
export type Area = (typeof areas)[number]

/** Who makes a request: an administrator, somebody who may do nothing, nobody, or somebody whose token nobody knows. */
export type UserName = 'admin' | 'jane' | 'anonymous' | 'stranger'

/**
 * A scenario: plain data, so that it can be run against any server, printed, hashed and shortened.
 *
 * Strings of steps may hold references: `{{namespace}}`, `{{group}}`, `{{run}}` (text of this run alone, for names of cluster-wide objects), and `{{r2.metadata.uid}}`,
 * what the answer `r2` has at that place (`{{r2.metadata.resourceVersion+5}}` adds).
 */
export interface Scenario {
  readonly area: Area
  readonly name: string
  /** Whether it runs beside the built-in controllers. */
  readonly controllers: boolean
  /** Whether the server serves every API, and not only those that are on by default. @default false */
  readonly allApis?: boolean
  readonly steps: readonly Step[]
}

export type Step = RequestStep | UntilStep | WatchStep | EventsStep | EndStep

/** One request, one answer. */
export interface RequestStep {
  readonly kind: 'request'
  /** What references call the answer. */
  readonly id: string
  readonly method: string
  /** With query. */
  readonly path: string
  readonly user: UserName
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON; `text` as it is. */
  readonly body?: { readonly json: Json } | { readonly text: string }
  /** Left out of the comparison: it only prepares. */
  readonly isQuiet: boolean
  readonly keep: readonly Keep[]
}

/** Of the array at `path`, compare only elements whose field `by` is among `values`: for collections that this scenario does not own. */
export interface Keep {
  readonly path: string
  readonly by: string
  readonly values: readonly string[]
}

/** The same request again, until the answer is as expected or ten seconds have passed; the last answer counts. */
export interface UntilStep {
  readonly kind: 'until'
  readonly request: RequestStep
  readonly condition: Condition
}

/** What an answer must be like. */
export type Condition =
  | { readonly status: number }
  | { readonly at: string; readonly equals: Json }
  | { readonly at: string; readonly exists: boolean }
  | { readonly at: string; readonly length: number }

/** Opens a watch, which goes on until the end of the scenario. */
export interface WatchStep {
  readonly kind: 'watch'
  readonly watch: string
  readonly path: string
  readonly user: UserName
  readonly headers: Readonly<Record<string, string>>
}

/** The next `count` events of a watch. */
export interface EventsStep {
  readonly kind: 'events'
  readonly watch: string
  readonly count: number
}

/** Nothing more comes from a watch, and the server ends it. */
export interface EndStep {
  readonly kind: 'end'
  readonly watch: string
}
