import { compareCodePoints, goQuote } from 'steersman/api'
import type { AccessRule, RequestInfo } from '../../contracts/index.js'

const all = '*'

/** Whether a rule allows what a request asks for. */
export function ruleAllows(rule: AccessRule, request: RequestInfo): boolean {
  if (!matches(rule.verbs, request.verb)) return false
  if (!request.isResourceRequest) return (rule.nonResourceURLs ?? []).some((pattern) => pathCovers(pattern, request.path))
  return (
    matches(rule.apiGroups, request.group) &&
    resourceMatches(rule.resources ?? [], request) &&
    ((rule.resourceNames ?? []).length === 0 || (rule.resourceNames ?? []).includes(request.name))
  )
}

function matches(allowed: readonly string[] | undefined, wanted: string): boolean {
  return allowed !== undefined && (allowed.includes(all) || allowed.includes(wanted))
}

/** `pods/log` is matched by itself, by the subresource of every resource `*` + `/log`, and by everything. */
function resourceMatches(allowed: readonly string[], { resource, subresource }: RequestInfo): boolean {
  if (subresource === '') return matches(allowed, resource)
  return matches(allowed, `${resource}/${subresource}`) || allowed.includes(`*/${subresource}`)
}

function pathCovers(pattern: string, path: string): boolean {
  return pattern === all || pattern === path || (pattern.endsWith(all) && path.startsWith(pattern.replace(/\*+$/, '')))
}

/** What of the wanted rules the held ones do not cover, in parts of one verb, group, resource and name each. */
export function missingRules(held: readonly AccessRule[], wanted: readonly AccessRule[]): AccessRule[] {
  return wanted.flatMap(smallestParts).filter((part) => !held.some((rule) => covers(rule, part)))
}

function smallestParts({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: AccessRule): AccessRule[] {
  const names = resourceNames.length > 0 ? resourceNames.map((name) => ({ resourceNames: [name] })) : [{}]
  const ofResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) => names.map((named) => ({ apiGroups: [group], resources: [resource], verbs: [verb], ...named }))),
    ),
  )
  const ofPaths = nonResourceURLs.flatMap((path) => verbs.map((verb) => ({ nonResourceURLs: [path], verbs: [verb] })))
  return [...ofResources, ...ofPaths]
}

/** `part` has at most one of everything. */
function covers(rule: AccessRule, part: AccessRule): boolean {
  const { resourceNames = [] } = rule
  const isNamed = resourceNames.length > 0
  return (
    part.verbs.every((verb) => matches(rule.verbs, verb)) &&
    (part.apiGroups ?? []).every((group) => matches(rule.apiGroups, group)) &&
    (part.resources ?? []).every((resource) => coversResource(rule.resources ?? [], resource)) &&
    (part.nonResourceURLs ?? []).every((path) => (rule.nonResourceURLs ?? []).some((pattern) => coversPath(pattern, path))) &&
    (!isNamed || ((part.resourceNames ?? []).length > 0 && (part.resourceNames ?? []).every((name) => resourceNames.includes(name))))
  )
}

function coversResource(allowed: readonly string[], resource: string): boolean {
  const slash = resource.indexOf('/')
  return matches(allowed, resource) || (slash >= 0 && allowed.includes(`*${resource.slice(slash)}`))
}

function coversPath(pattern: string, path: string): boolean {
  return pattern === path || (pattern.endsWith(all) && path.startsWith(pattern.replace(/\*+$/, '')))
}

/** Rules as a refusal lists them: those that differ in their verbs alone together, sorted. */
export function describeRules(rules: readonly AccessRule[]): string {
  const compact = new Map<string, AccessRule>()
  for (const rule of rules) {
    const { verbs, ...rest } = rule
    const isSimple = rule.nonResourceURLs === undefined
    const key = JSON.stringify(isSimple ? rest : rule)
    const known = compact.get(key)
    compact.set(key, known === undefined || !isSimple ? rule : { ...known, verbs: [...known.verbs, ...verbs] })
  }
  const texts = new Set([...compact.values()].map(describeRule))
  return [...texts].sort(compareCodePoints).join('\n')
}

function describeRule({ verbs, apiGroups, resources, nonResourceURLs, resourceNames }: AccessRule): string {
  const parts: readonly (readonly [name: string, values: readonly string[] | undefined])[] = [
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['NonResourceURLs', nonResourceURLs],
    ['ResourceNames', resourceNames],
    ['Verbs', verbs],
  ]
  const told = parts.flatMap(([name, values = []]) => (values.length > 0 ? [`${name}:${quoteList(values)}`] : []))
  return `{${told.join(', ')}}`
}

/** A list of text as Go's verb `%q` writes it. */
export function quoteList(values: readonly string[]): string {
  return `[${values.map(goQuote).join(' ')}]`
}
