import type { Command } from '../../command.js'

/** What controllers, nodes and others would say of the objects. */
const said: Readonly<Record<string, object>> = {
  'deployment front': {
    replicas: 4,
    updatedReplicas: 2,
    readyReplicas: 3,
    availableReplicas: 2,
    unavailableReplicas: 2,
    observedGeneration: 1,
    conditions: [
      { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' },
      { type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated' },
    ],
  },
  'replicaset crew': { replicas: 2, readyReplicas: 1, availableReplicas: 1, fullyLabeledReplicas: 2 },
  'statefulset ledger': { replicas: 2, readyReplicas: 1, currentReplicas: 1, updatedReplicas: 1 },
  'daemonset lamp': {
    currentNumberScheduled: 2,
    desiredNumberScheduled: 3,
    numberMisscheduled: 0,
    numberReady: 1,
    updatedNumberScheduled: 2,
    numberAvailable: 1,
  },
  'rc old': { replicas: 2, readyReplicas: 1 },
  'job voyage': { active: 1, succeeded: 2, failed: 1, ready: 1, startTime: '2026-01-01T00:00:00Z' },
  'cronjob watch': {
    lastScheduleTime: '2026-01-01T00:00:00Z',
    active: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'watch-1', namespace: 'every' }],
  },
  'hpa front': {
    currentReplicas: 3,
    desiredReplicas: 4,
    currentMetrics: [
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 81, averageValue: '405m' } } },
      { type: 'Pods', pods: { metric: { name: 'waves' }, current: { averageValue: '4' } } },
    ],
    conditions: [
      { type: 'AbleToScale', status: 'True', reason: 'ReadyForNewScale', message: 'ready', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ],
  },
  'pdb front': { currentHealthy: 3, desiredHealthy: 1, disruptionsAllowed: 2, expectedPods: 3, observedGeneration: 1 },
  'ingress gate': { loadBalancer: { ingress: [{ ip: '10.9.0.9' }, { hostname: 'lb.example.com' }] } },
  'pvc cargo': { phase: 'Bound', capacity: { storage: '5Gi' }, accessModes: ['ReadWriteOnce'] },
  'pv hold': { phase: 'Bound' },
  'quota quota': { hard: { pods: '10', 'requests.cpu': '4' }, used: { pods: '3', 'requests.cpu': '750m' } },
  'volumeattachment mooring': { attached: true },
  'node node-a': {
    capacity: { cpu: '4', memory: '8Gi', pods: '110' },
    allocatable: { cpu: '3500m', memory: '7Gi', pods: '110' },
    addresses: [
      { type: 'InternalIP', address: '10.1.0.1' },
      { type: 'ExternalIP', address: '192.0.2.1' },
      { type: 'Hostname', address: 'node-a' },
    ],
    nodeInfo: {
      kubeletVersion: 'v1.37.2',
      osImage: 'Sea 1',
      kernelVersion: '6.1',
      containerRuntimeVersion: 'containerd://2.0.0',
      architecture: 'amd64',
      operatingSystem: 'linux',
      bootID: 'b',
      machineID: 'm',
      systemUUID: 's',
      kubeProxyVersion: '',
    },
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: 'KubeletReady',
        message: 'ready',
        lastHeartbeatTime: '2026-01-01T00:00:00Z',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ],
  },
  'pod lone': {
    phase: 'Running',
    podIP: '10.2.0.7',
    podIPs: [{ ip: '10.2.0.7' }],
    hostIP: '10.1.0.1',
    startTime: '2026-01-01T00:00:00Z',
    conditions: [
      { type: 'Ready', status: 'False', reason: 'ContainersNotReady' },
      { type: 'example.com/loaded', status: 'True' },
    ],
    initContainerStatuses: [
      {
        name: 'prepare',
        image: 'busybox:1',
        imageID: 'none://busybox',
        ready: true,
        restartCount: 0,
        state: { terminated: { exitCode: 0, reason: 'Completed', startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T00:00:01Z' } },
      },
      {
        name: 'tender',
        image: 'busybox:1',
        imageID: 'none://busybox',
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt: '2026-01-01T00:00:01Z' } },
      },
    ],
    containerStatuses: [
      {
        name: 'main',
        image: 'nginx:1.27',
        imageID: 'none://nginx',
        containerID: 'none://1',
        ready: false,
        restartCount: 3,
        state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } },
        lastState: {
          terminated: { exitCode: 137, reason: 'OOMKilled', startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T00:01:00Z' },
        },
      },
    ],
  },
}

const isClusterScoped = (target: string): boolean => /^(?:pv|node|volumeattachment) /.test(target)

/** Lines that write them into the objects of `kinds/*.yaml`. */
export const statuses: readonly Command[] = Object.entries(said).map(([target, status]) => ({
  run: `kubectl patch ${target}${isClusterScoped(target) ? '' : ' -n every'} --subresource=status --type=merge -p '${JSON.stringify({ status })}'`,
}))
