import { type JsonObject, named, podSpec, type Resource } from '../../language/index.js'

const core = (kind: string, plural: string): Resource => ({ group: '', version: 'v1', plural, kind, isNamespaced: true })
export const templates = core('PodTemplate', 'podtemplates')
export const controllers = core('ReplicationController', 'replicationcontrollers')

export const status = { subresource: 'status' }

/** A template of pods. */
export const template = (spec: JsonObject = {}): JsonObject => ({ metadata: { labels: { app: 'web' } }, spec: podSpec(spec) })

/** A container that is right but for what is given. */
export const container = (more: JsonObject = {}): JsonObject => ({ name: 'main', image: 'busybox:1.36', ...more })

/** A pod that is right but for what is given. */
export const podOf = (name: string, spec: JsonObject): JsonObject => ({ ...named(name), spec: { containers: [container()], ...spec } })

/** A pod that is refused. */
export const wrong = (spec: JsonObject): JsonObject => podOf('wrong', spec)
