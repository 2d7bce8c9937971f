import type { JsonObject } from '../language/index.js'
import { podSpec, workloadSpec } from '../language/index.js'
import { authority, podRequestSpec, requestOfJane } from './kinds-certificates.js'

/** A name that is free in the namespace, or in the cluster, of a scenario. */
export interface MinimalObject {
  /** @default `a` in a namespace, else a name that no other scenario has */
  readonly name?: string
  readonly body?: JsonObject
}

const rule: JsonObject = { operations: ['CREATE'], apiGroups: ['nothing.example.com'], apiVersions: ['v1'], resources: ['things'] }
const role: JsonObject = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'nobody' }
const mutation: JsonObject = { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }
const mutatingPolicy: MinimalObject = {
  body: { spec: { matchConstraints: { resourceRules: [rule] }, mutations: [mutation], reinvocationPolicy: 'Never' } },
}
const binding: MinimalObject = { body: { spec: { policyName: 'p' } } }
const candidate: MinimalObject = {
  body: { spec: { leaseName: 'l', binaryVersion: '1.2.3', emulationVersion: '1.2.3', strategy: 'OldestEmulationVersion' } },
}
const exact: JsonObject = { deviceClassName: 'c' }
const claim = (request: JsonObject): JsonObject => ({ spec: { devices: { requests: [{ name: 'r', ...request }] } } })
const slice = (device: JsonObject): MinimalObject => ({
  body: {
    spec: {
      driver: 'd.example.com',
      pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
      allNodes: true,
      devices: [{ name: 'x', ...device }],
    },
  },
})
const deviceFacts: JsonObject = { attributes: { a: { int: 1 } }, capacity: { m: { value: '1Gi' } } }
const taintRule: MinimalObject = { body: { spec: { taint: { key: 'k', effect: 'None', timeAdded: '2020-01-02T03:04:05Z' } } } }
const migration: MinimalObject = { body: { spec: { resource: { group: 'apps', resource: 'deployments' } } } }
const target: JsonObject = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }
const none: MinimalObject = {}
const workload: MinimalObject = { body: { spec: workloadSpec() } }
const autoscaler: MinimalObject = { body: { spec: { scaleTargetRef: target, maxReplicas: 2 } } }
const trustBundle: MinimalObject = { body: { spec: { trustBundle: authority } } }
const podCertificateRequest: MinimalObject = { body: { spec: podRequestSpec } }
const event: JsonObject = { reason: 'R', type: 'Normal', reportingInstance: 'i', action: 'A', eventTime: '2020-01-02T03:04:05.000006Z' }

/**
 * The least that the real server takes, for each built-in resource that can be created, by `group/version/plural`. A resource that is missing here makes a test
 * fail.
 */
export const minimalObjects: Readonly<Record<string, MinimalObject>> = {
  'v1/configmaps': none,
  'v1/endpoints': none,
  'v1/events': { body: { involvedObject: { namespace: '{{namespace}}' } } },
  'v1/limitranges': none,
  'v1/namespaces': none,
  'v1/nodes': none,
  'v1/persistentvolumeclaims': { body: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } },
  'v1/persistentvolumes': {
    body: { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/x' } } },
  },
  'v1/pods': { body: { spec: podSpec() } },
  'v1/podtemplates': { body: { template: { spec: podSpec() } } },
  'v1/replicationcontrollers': { body: { spec: { template: { metadata: { labels: { app: 'web' } }, spec: podSpec() } } } },
  'v1/resourcequotas': none,
  'v1/secrets': none,
  'v1/serviceaccounts': none,
  'v1/services': { body: { spec: { ports: [{ port: 80 }] } } },
  'apiregistration.k8s.io/v1/apiservices': {
    name: 'v1.{{group}}',
    body: { spec: { group: '{{group}}', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 } },
  },
  'apps/v1/controllerrevisions': { body: { revision: 1, data: { a: 1 } } },
  'apps/v1/daemonsets': { body: { spec: withoutReplicas(workloadSpec()) } },
  'apps/v1/deployments': workload,
  'apps/v1/replicasets': workload,
  'apps/v1/statefulsets': workload,
  'events.k8s.io/v1/events': {
    body: { ...event, reportingController: 'example.com/c', regarding: { namespace: '{{namespace}}' } },
  },
  'autoscaling/v1/horizontalpodautoscalers': autoscaler,
  'autoscaling/v2/horizontalpodautoscalers': autoscaler,
  'batch/v1/cronjobs': {
    body: { spec: { schedule: '@daily', jobTemplate: { spec: { template: { spec: podSpec({ restartPolicy: 'Never' }) } } } } },
  },
  'batch/v1/jobs': { body: { spec: { template: { spec: podSpec({ restartPolicy: 'Never' }) } } } },
  'certificates.k8s.io/v1/certificatesigningrequests': {
    body: { spec: { request: requestOfJane, signerName: 'example.com/mine', usages: ['client auth'] } },
  },
  'certificates.k8s.io/v1/clustertrustbundles': trustBundle,
  'certificates.k8s.io/v1/podcertificaterequests': podCertificateRequest,
  'certificates.k8s.io/v1beta1/clustertrustbundles': trustBundle,
  'certificates.k8s.io/v1beta1/podcertificaterequests': podCertificateRequest,
  'networking.k8s.io/v1/ingressclasses': { body: { spec: { controller: 'example.com/c' } } },
  'networking.k8s.io/v1/ingresses': { body: { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } } },
  'networking.k8s.io/v1/ipaddresses': {
    name: '10.0.0.77',
    body: { spec: { parentRef: { resource: 'services', name: 's', namespace: 'default' } } },
  },
  'networking.k8s.io/v1/networkpolicies': none,
  'networking.k8s.io/v1/servicecidrs': { body: { spec: { cidrs: ['192.168.77.0/24'] } } },
  'policy/v1/poddisruptionbudgets': none,
  'rbac.authorization.k8s.io/v1/clusterrolebindings': { body: { roleRef: role } },
  'rbac.authorization.k8s.io/v1/clusterroles': none,
  'rbac.authorization.k8s.io/v1/rolebindings': { body: { roleRef: role } },
  'rbac.authorization.k8s.io/v1/roles': none,
  'storage.k8s.io/v1/csidrivers': { body: { spec: {} } },
  'storage.k8s.io/v1/csinodes': { body: { spec: { drivers: [] } } },
  'storage.k8s.io/v1/csistoragecapacities': { body: { storageClassName: 'c' } },
  'storage.k8s.io/v1/storageclasses': { body: { provisioner: 'example.com/p' } },
  'storage.k8s.io/v1/volumeattachments': {
    body: { spec: { attacher: 'example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
  },
  'storage.k8s.io/v1/volumeattributesclasses': { body: { driverName: 'example.com', parameters: { a: 'b' } } },
  'admissionregistration.k8s.io/v1/mutatingadmissionpolicies': mutatingPolicy,
  'admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings': binding,
  'admissionregistration.k8s.io/v1/mutatingwebhookconfigurations': none,
  'admissionregistration.k8s.io/v1/validatingadmissionpolicies': {
    body: { spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] } },
  },
  'admissionregistration.k8s.io/v1/validatingadmissionpolicybindings': {
    body: { spec: { policyName: 'p', validationActions: ['Audit'] } },
  },
  'admissionregistration.k8s.io/v1/validatingwebhookconfigurations': none,
  'admissionregistration.k8s.io/v1beta1/mutatingadmissionpolicies': mutatingPolicy,
  'admissionregistration.k8s.io/v1beta1/mutatingadmissionpolicybindings': binding,
  'admissionregistration.k8s.io/v1alpha1/mutatingadmissionpolicies': mutatingPolicy,
  'admissionregistration.k8s.io/v1alpha1/mutatingadmissionpolicybindings': {
    body: { spec: { policyName: 'p', paramRef: { name: 'x' } } },
  },
  'apiextensions.k8s.io/v1/customresourcedefinitions': {
    name: 'things.{{group}}',
    body: {
      spec: {
        group: '{{group}}',
        scope: 'Cluster',
        names: { plural: 'things', kind: 'Thing' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    },
  },
  'scheduling.k8s.io/v1/priorityclasses': { body: { value: 1 } },
  'coordination.k8s.io/v1/leases': none,
  'coordination.k8s.io/v1beta1/leasecandidates': candidate,
  'coordination.k8s.io/v1alpha2/leasecandidates': candidate,
  'node.k8s.io/v1/runtimeclasses': { body: { handler: 'h' } },
  'discovery.k8s.io/v1/endpointslices': { body: { addressType: 'IPv4', endpoints: [] } },
  'resource.k8s.io/v1/deviceclasses': none,
  'resource.k8s.io/v1/devicetaintrules': taintRule,
  'resource.k8s.io/v1/resourceclaims': { body: claim({ exactly: exact }) },
  'resource.k8s.io/v1/resourceclaimtemplates': { body: { spec: claim({ exactly: exact }) } },
  'resource.k8s.io/v1/resourceslices': slice(deviceFacts),
  'resource.k8s.io/v1beta2/deviceclasses': none,
  'resource.k8s.io/v1beta2/devicetaintrules': taintRule,
  'resource.k8s.io/v1beta2/resourceclaims': { body: claim({ exactly: exact }) },
  'resource.k8s.io/v1beta2/resourceclaimtemplates': { body: { spec: claim({ exactly: exact }) } },
  'resource.k8s.io/v1beta2/resourceslices': slice(deviceFacts),
  'resource.k8s.io/v1beta1/deviceclasses': none,
  'resource.k8s.io/v1beta1/resourceclaims': { body: claim(exact) },
  'resource.k8s.io/v1beta1/resourceclaimtemplates': { body: { spec: claim(exact) } },
  'resource.k8s.io/v1beta1/resourceslices': slice({ basic: deviceFacts }),
  'resource.k8s.io/v1alpha3/devicetaintrules': taintRule,
  'resource.k8s.io/v1alpha3/resourcepoolstatusrequests': { body: { spec: { driver: 'd.example.com' } } },
  'flowcontrol.apiserver.k8s.io/v1/flowschemas': { body: { spec: { priorityLevelConfiguration: { name: 'nobody' } } } },
  'flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations': {
    body: { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
  },
  'internal.apiserver.k8s.io/v1alpha1/storageversions': { name: '{{group}}.things', body: { spec: {} } },
  'storagemigration.k8s.io/v1/storageversionmigrations': migration,
  'storagemigration.k8s.io/v1beta1/storageversionmigrations': migration,
}

function withoutReplicas({ replicas: _, ...spec }: JsonObject): JsonObject {
  return spec
}
