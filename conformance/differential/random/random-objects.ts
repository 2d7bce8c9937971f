import {
  configMaps,
  customResource,
  deployments,
  type Json,
  type JsonObject,
  leases,
  pods,
  type Resource,
  secrets,
  services,
} from '../language/index.js'
import type { Chance } from './chance.js'

/** A custom resource that both servers have before the first scenario. */
export const randomWidgets: Resource = customResource('Widget', { group: 'random.example.com' })

/** What a version of it may hold. */
export const randomWidgetSchema: JsonObject = {
  spec: {
    type: 'object',
    required: ['size'],
    properties: {
      size: { type: 'integer', minimum: 0, maximum: 9 },
      colour: { type: 'string', enum: ['red', 'blue'], default: 'red' },
      ratio: { type: 'number' },
      note: { type: 'string', maxLength: 5, nullable: true },
      parts: {
        type: 'array',
        maxItems: 3,
        items: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, count: { type: 'integer', default: 1 } } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
      tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      limits: { type: 'object', additionalProperties: { 'x-kubernetes-int-or-string': true } },
      open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
  status: { type: 'object', properties: { ready: { type: 'integer' } } },
}

export const randomResources = [configMaps, secrets, services, pods, deployments, leases, randomWidgets] as const

const names = ['a', 'b', 'c']
const wrongNames = ['', 'A', 'a_b', '-a', 'a.b.', 'x'.repeat(254)]
const labelValues = ['web', 'db', '', 'v1.2']
const wrongLabels: readonly JsonObject[] = [{ 'a b': 'c' }, { app: '-' }, { 'a/b/c': 'd' }, { app: 'x'.repeat(64) }]
/** What stands where something else belongs. */
const strangeValues: readonly Json[] = [null, 0, -1, 1.5, 2147483648, '', 'x', true, [], ['x'], {}, { x: 1 }]

export class RandomObjects {
  readonly #chance: Chance

  constructor(chance: Chance) {
    this.#chance = chance
  }

  name(): string {
    return this.#chance.happens(0.04) ? this.#chance.pick(wrongNames) : this.#chance.pick(names)
  }

  /** An object of a resource, right or a little wrong. */
  object(resource: Resource, name: string, versions: readonly string[]): JsonObject {
    const body: JsonObject = { metadata: this.#metadata(name, versions), ...this.#body(resource) }
    return this.#chance.happens(0.25) ? this.corrupted(body) : body
  }

  /** The value with something in it removed, added, or replaced by what does not belong there. */
  corrupted(value: JsonObject): JsonObject {
    const chance = this.#chance
    const keys = Object.keys(value)
    if (keys.length === 0 || chance.happens(0.1))
      return { ...value, [chance.pick(['unknown', 'extra', 'Metadata'])]: chance.pick(strangeValues) }
    const key = chance.pick(keys)
    const member = value[key] as Json
    if (isObject(member) && chance.happens(0.75)) return { ...value, [key]: this.corrupted(member) }
    if (Array.isArray(member) && member.length > 0 && chance.happens(0.75)) {
      const index = chance.below(member.length)
      const element = member[index] as Json
      const changed = isObject(element) ? this.corrupted(element) : chance.pick(strangeValues)
      return { ...value, [key]: member.map((other: Json, position) => (position === index ? changed : other)) }
    }
    if (chance.happens(0.3)) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
    return { ...value, [key]: chance.pick(strangeValues) }
  }

  /** A merge patch for an object of a resource. */
  patch(resource: Resource): JsonObject {
    const chance = this.#chance
    const whole: JsonObject = { ...this.#body(resource), metadata: chance.members({ labels: [0.5, () => this.#labels()] }) }
    const keys = Object.keys(whole).filter(() => chance.happens(0.6))
    const part = Object.fromEntries(keys.map((key) => [key, whole[key] as Json]))
    return chance.happens(0.3) ? this.corrupted(part) : part
  }

  #metadata(name: string, versions: readonly string[]): JsonObject {
    const chance = this.#chance
    return {
      ...(name === '' ? {} : { name }),
      ...chance.members({
        labels: [0.5, () => this.#labels()],
        annotations: [0.2, () => ({ note: chance.pick(['x', 'y']) })],
        finalizers: [0.08, () => ['example.com/hold']],
        resourceVersion: [0.3, () => chance.pick([...versions, '1'])],
        generateName: [0.03, () => 'made-'],
      }),
    }
  }

  #labels(): JsonObject {
    const chance = this.#chance
    if (chance.happens(0.08)) return chance.pick(wrongLabels)
    return chance.members({ app: [0.7, () => chance.pick(labelValues)], tier: [0.4, () => chance.pick(labelValues)] })
  }

  #body(resource: Resource): JsonObject {
    switch (resource.kind) {
      case 'ConfigMap':
        return this.#configMap()
      case 'Secret':
        return this.#secret()
      case 'Service':
        return { spec: this.#serviceSpec() }
      case 'Pod':
        return { spec: this.#podSpec() }
      case 'Deployment':
        return { spec: this.#deploymentSpec() }
      case 'Lease':
        return { spec: this.#leaseSpec() }
      default:
        return { spec: this.#widgetSpec() }
    }
  }

  #configMap(): JsonObject {
    const chance = this.#chance
    return chance.members({
      data: [0.7, () => chance.members({ k: [0.6, () => chance.pick(['v', ''])], 'l.m': [0.3, () => 'w'], 'n o': [0.05, () => 'x'] })],
      binaryData: [0.2, () => ({ [chance.pick(['b', 'k'])]: chance.pick(['eA==', '', 'x']) })],
      immutable: [0.08, () => chance.happens(0.5)],
    })
  }

  #secret(): JsonObject {
    const chance = this.#chance
    const types = ['Opaque', 'example.com/own', 'kubernetes.io/basic-auth', 'kubernetes.io/ssh-auth', 'kubernetes.io/dockerconfigjson']
    return chance.members({
      type: [0.4, () => chance.pick(types)],
      data: [
        0.5,
        () => ({ [chance.pick(['k', 'username', 'ssh-privatekey', '.dockerconfigjson'])]: chance.pick(['eA==', 'e30=', '', '*']) }),
      ],
      stringData: [0.5, () => ({ [chance.pick(['k', 'password', '.dockerconfigjson'])]: chance.pick(['v', '{}', '']) })],
    })
  }

  #serviceSpec(): JsonObject {
    const chance = this.#chance
    return chance.members({
      ports: [0.85, () => chance.some(2, () => this.#servicePort())],
      selector: [0.5, () => this.#labels()],
      clusterIP: [0.3, () => chance.pick(['None', '', 'nowhere'])],
      type: [0.3, () => chance.pick(['ClusterIP', 'ExternalName', 'Magic'])],
      externalName: [0.2, () => chance.pick(['example.com', '-'])],
      sessionAffinity: [0.2, () => chance.pick(['None', 'ClientIP', 'Other'])],
      internalTrafficPolicy: [0.1, () => chance.pick(['Cluster', 'Local'])],
      publishNotReadyAddresses: [0.1, () => true],
    })
  }

  #servicePort(): JsonObject {
    const chance = this.#chance
    return chance.members({
      name: [0.6, () => chance.pick(['web', 'dns', 'Web'])],
      port: [0.95, () => chance.pick([80, 443, 0, 70_000])],
      targetPort: [0.4, () => chance.pick([8080, 'web', '8080', 0])],
      protocol: [0.3, () => chance.pick(['TCP', 'UDP', 'SCTP', 'HTTP'])],
    })
  }

  #podSpec(): JsonObject {
    const chance = this.#chance
    return {
      containers: [this.#container('main'), ...(chance.happens(0.2) ? [this.#container(chance.pick(['side', 'main']))] : [])],
      ...chance.members({
        restartPolicy: [0.2, () => chance.pick(['Always', 'Never', 'OnFailure', 'Sometimes'])],
        nodeName: [0.15, () => chance.pick(['one', 'No'])],
        terminationGracePeriodSeconds: [0.2, () => chance.pick([0, 5, -1])],
        activeDeadlineSeconds: [0.1, () => chance.pick([0, 10])],
        serviceAccountName: [0.1, () => 'robot'],
        nodeSelector: [0.1, () => this.#labels()],
        tolerations: [
          0.15,
          () => [
            chance.members({
              key: [0.8, () => 'a'],
              operator: [0.6, () => chance.pick(['Exists', 'Equal', 'Like'])],
              effect: [0.5, () => chance.pick(['NoSchedule', 'NoExecute'])],
              value: [0.3, () => 'v'],
              tolerationSeconds: [0.2, () => 3],
            }),
          ],
        ],
        volumes: [
          0.2,
          () => [
            {
              name: 'v',
              ...chance.make<JsonObject>(
                () => ({ emptyDir: {} }),
                () => ({ configMap: { name: 'c' } }),
                () => ({}),
                () => ({ secret: {} }),
              ),
            },
          ],
        ],
        hostNetwork: [0.08, () => true],
        dnsPolicy: [0.08, () => chance.pick(['Default', 'None'])],
        hostname: [0.05, () => chance.pick(['host', 'Host'])],
        schedulingGates: [0.05, () => [{ name: 'example.com/gate' }]],
        priorityClassName: [0.04, () => chance.pick(['system-node-critical', 'absent'])],
      }),
    }
  }

  #container(name: string): JsonObject {
    const chance = this.#chance
    return {
      name,
      ...chance.members({
        image: [0.95, () => chance.pick(['busybox:1.36', 'busybox', 'busybox:latest', 'example.com/a@sha256:0'])],
        command: [0.2, () => ['sh']],
        ports: [
          0.25,
          () => [
            chance.members({
              containerPort: [0.95, () => chance.pick([80, 0, 70_000])],
              name: [0.5, () => chance.pick(['web', 'too-long-a-port-name'])],
              protocol: [0.3, () => chance.pick(['UDP', 'X'])],
              hostPort: [0.1, () => 80],
            }),
          ],
        ],
        env: [
          0.25,
          () =>
            chance.some(2, () =>
              chance.members({
                name: [0.95, () => chance.pick(['A', 'B', 'a=b'])],
                value: [0.6, () => '1'],
                valueFrom: [
                  0.2,
                  () =>
                    chance.make<JsonObject>(
                      () => ({ fieldRef: { fieldPath: 'metadata.name' } }),
                      () => ({ configMapKeyRef: { name: 'c' } }),
                      () => ({}),
                    ),
                ],
              }),
            ),
        ],
        resources: [
          0.25,
          () =>
            chance.members({
              limits: [
                0.7,
                () => ({ [chance.pick(['cpu', 'memory', 'example.com/gpu'])]: chance.pick(['1', '500m', '128Mi', '0.1', '-1', 'x', 2]) }),
              ],
              requests: [0.5, () => ({ cpu: chance.pick(['1', '2', '100m']) })],
            }),
        ],
        livenessProbe: [
          0.15,
          () =>
            chance.make<JsonObject>(
              () => ({ httpGet: { port: chance.pick<Json>([80, 'web', 0]) } }),
              () => ({ exec: { command: ['x'] }, periodSeconds: chance.pick([0, 5, -1]) }),
              () => ({}),
            ),
        ],
        imagePullPolicy: [0.1, () => chance.pick(['Always', 'Never', 'Perhaps'])],
        volumeMounts: [0.15, () => [{ name: 'v', mountPath: chance.pick(['/x', '']) }]],
        securityContext: [0.1, () => chance.members({ runAsUser: [0.6, () => chance.pick([0, 1000, -1])], privileged: [0.3, () => true] })],
      }),
    }
  }

  #deploymentSpec(): JsonObject {
    const chance = this.#chance
    const labels = { app: chance.pick(['web', 'db']) }
    return {
      selector: { matchLabels: chance.happens(0.9) ? labels : {} },
      template: { metadata: { labels }, spec: this.#podSpec() },
      ...chance.members({
        replicas: [0.5, () => chance.pick([0, 2, -1])],
        strategy: [
          0.25,
          () =>
            chance.members({
              type: [0.7, () => chance.pick(['Recreate', 'RollingUpdate', 'Magic'])],
              rollingUpdate: [0.4, () => ({ maxSurge: chance.pick<Json>([1, '10%', 0, 'x']) })],
            }),
        ],
        minReadySeconds: [0.1, () => chance.pick([0, 5, -1])],
        paused: [0.1, () => true],
        revisionHistoryLimit: [0.1, () => chance.pick([0, -1])],
      }),
    }
  }

  #leaseSpec(): JsonObject {
    const chance = this.#chance
    return chance.members({
      holderIdentity: [0.7, () => chance.pick(['me', 'you', ''])],
      leaseDurationSeconds: [0.6, () => chance.pick([15, 0, -1])],
      leaseTransitions: [0.3, () => chance.pick([0, 3, -1])],
      renewTime: [0.4, () => chance.pick(['2020-01-02T03:04:05.000006Z', '2020-01-02T03:04:05Z', 'now'])],
    })
  }

  #widgetSpec(): JsonObject {
    const chance = this.#chance
    return chance.members({
      size: [0.9, () => chance.pick<Json>([1, 9, 10, -1, 1.5, '1'])],
      colour: [0.4, () => chance.pick(['red', 'blue', 'green'])],
      ratio: [0.3, () => chance.pick<Json>([0.5, 1, 'x'])],
      note: [0.3, () => chance.pick<Json>(['short', 'too long', null])],
      parts: [
        0.4,
        () =>
          chance.some(3, () =>
            chance.members({
              name: [0.9, () => chance.pick(['x', 'y'])],
              count: [0.4, () => chance.pick<Json>([1, 'x'])],
              extra: [0.1, () => 1],
            }),
          ),
      ],
      tags: [0.3, () => chance.some(3, () => chance.pick(['t', 'u', 'v']))],
      limits: [0.3, () => ({ cpu: chance.pick<Json>([1, '2', 1.5, true]) })],
      open: [0.3, () => ({ any: [1, { thing: null }] })],
    })
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
