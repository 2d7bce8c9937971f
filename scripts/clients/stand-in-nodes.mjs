/**
 * Two nodes for a control plane that has none: stands in for scheduler and kubelets as far as a recording needs it. Renews leases, binds pods, reports
 * them running, and lets them go.
 */
import { request } from 'node:https'

const nodeNames = ['node-0', 'node-1']
const roundMs = 150
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
/** Rounds between two heartbeats: ten seconds. */
const heartbeatRounds = 66

/** Keeps the nodes until the signal aborts. */
export async function standInNodes({ url, token, signal }) {
  const api = (method, path, body, contentType = 'application/json') => call({ url, token, method, path, body, contentType })
  for (const [index, name] of nodeNames.entries()) await createNode(api, name, index)
  let nextAddress = 1
  for (let round = 0; !signal.aborted; round += 1) {
    if (round % heartbeatRounds === 0) for (const name of nodeNames) await renewLease(api, name)
    const { items } = await api('GET', '/api/v1/pods')
    for (const pod of items) await care(api, pod, () => nextAddress++)
    await new Promise((done) => setTimeout(done, roundMs))
  }
}

async function createNode(api, name, index) {
  await api('POST', '/api/v1/nodes', { metadata: { name, labels: { 'kubernetes.io/hostname': name } } })
  const now = new Date().toISOString().replace(/\.\d+/, '')
  const status = {
    capacity: { cpu: '4', memory: '8Gi', pods: '110' },
    allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
    addresses: [
      { type: 'InternalIP', address: `10.1.0.${index + 1}` },
      { type: 'Hostname', address: name },
    ],
    nodeInfo: { kubeletVersion: 'v1.37.2', osImage: 'none', kernelVersion: 'none', containerRuntimeVersion: 'none://0' },
    conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', lastHeartbeatTime: now, lastTransitionTime: now }],
  }
  await api('PATCH', `/api/v1/nodes/${name}/status`, { status }, 'application/merge-patch+json')
  await api('POST', leases, { metadata: { name }, spec: { holderIdentity: name, leaseDurationSeconds: 40 } })
}

function renewLease(api, name) {
  const renewTime = new Date().toISOString().replace('Z', '000Z')
  return api('PATCH', `${leases}/${name}`, { spec: { renewTime } }, 'application/merge-patch+json')
}

async function care(api, pod, newAddress) {
  const { name, namespace, deletionTimestamp } = pod.metadata
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`
  if (deletionTimestamp !== undefined) return api('DELETE', path, { gracePeriodSeconds: 0 })
  if (pod.spec.nodeName === undefined) {
    const target = { kind: 'Node', name: nodeNames[newAddress() % nodeNames.length] }
    return api('POST', `${path}/binding`, { metadata: { name }, target })
  }
  if (pod.status.phase === 'Pending')
    await api('PATCH', `${path}/status`, { status: running(pod, newAddress()) }, 'application/merge-patch+json')
}

function running(pod, address) {
  const now = new Date().toISOString().replace(/\.\d+/, '')
  const podIP = `10.2.0.${address % 250}`
  return {
    phase: 'Running',
    podIP,
    podIPs: [{ ip: podIP }],
    startTime: now,
    conditions: ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
      type,
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: now,
    })),
    containerStatuses: pod.spec.containers.map(({ name, image }) => ({
      name,
      image,
      imageID: `none://${image}`,
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: now } },
    })),
  }
}

/** What does not exist any more, or was changed in between, is for the next round. */
function call({ url, token, method, path, body, contentType }) {
  const content = body === undefined ? '' : JSON.stringify(body)
  // Node.js would send the body of a DELETE without its length.
  const headers = { authorization: `Bearer ${token}`, 'content-type': contentType, 'content-length': Buffer.byteLength(content) }
  return new Promise((done, fail) => {
    const sent = request(`${url}${path}`, { method, headers, rejectUnauthorized: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.once('end', () => {
        const isFine = response.statusCode < 300 || response.statusCode === 404 || response.statusCode === 409
        if (isFine) done(JSON.parse(text))
        else fail(new Error(`${method} ${path}: ${response.statusCode} ${text}`))
      })
    })
    sent.once('error', fail)
    sent.end(content)
  })
}
