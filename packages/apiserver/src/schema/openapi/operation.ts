/** A group, version and kind as OpenAPI extensions carry it. */
export interface OpenApiKind {
  readonly group: string
  readonly kind: string
  readonly version: string
}

/** What a client may ask an operation with. Those in the path are required. */
export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path'
  readonly type: string
  /** Tells it from one of the same name that says something else: `patch`, `pods/exec`. */
  readonly scope?: string
}

/** An HTTP method in lower case. */
export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch'

/** One method of a path, before it is written in the form of an OpenAPI version. */
export interface Operation {
  readonly method: Method
  readonly operationId: string
  readonly tag: string
  /** What it does to the resource. Absent: it belongs to none. */
  readonly action?: string
  readonly kind?: OpenApiKind
  readonly parameters: readonly Parameter[]
  readonly body?: { readonly definition: string; readonly isRequired: boolean }
  readonly consumes: readonly string[]
  readonly produces: readonly string[]
  /** Status codes of success and the definition of the answer; `text` stands for a string. */
  readonly answers: Readonly<Record<string, string>>
}

/** A path with its operations. Parameters that all operations have are those of the path. */
export interface OpenApiPath {
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly operations: readonly Operation[]
}

/** The answer that is a plain text, not a definition. */
export const text = 'text'

/** Says of each status code what it means. */
export const answerDescriptions: Readonly<Record<string, string>> = {
  '200': 'OK',
  '201': 'Created',
  '202': 'Accepted',
  '401': 'Unauthorized',
}

/** Makes a path of operations that list all their parameters. */
export function openApiPath(path: string, operations: readonly Operation[]): OpenApiPath {
  const shared = (operations[0]?.parameters ?? []).filter((parameter) =>
    operations.every(({ parameters }) => parameters.some((other) => isSame(other, parameter))),
  )
  const isShared = (parameter: Parameter) => shared.some((other) => isSame(other, parameter))
  return {
    path,
    parameters: sorted(shared),
    operations: operations.map((operation) => ({
      ...operation,
      parameters: sorted(operation.parameters.filter((parameter) => !isShared(parameter))),
    })),
  }
}

function isSame(left: Parameter, right: Parameter): boolean {
  return left.name === right.name && left.in === right.in && left.scope === right.scope
}

function sorted(parameters: readonly Parameter[]): readonly Parameter[] {
  const key = (parameter: Parameter) => `${parameter.name} ${parameter.in}`
  return [...parameters].sort((left, right) => (key(left) < key(right) ? -1 : 1))
}

/** The beginning of a group version's paths: `/api/v1`, `/apis/apps/v1`. */
export function rootPath(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`
}

/** The group as it appears in tags: `core`, `apps`, `coordination`, `exampleCom`. */
export function camelGroup(group: string): string {
  if (group === '') return 'core'
  return group
    .replace(/\.k8s\.io$/, '')
    .split(/[.-]/)
    .map((part, index) => (index === 0 ? part : capitalized(part)))
    .join('')
}

/** With its first letter in upper case. */
export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
