import { interleave, type Lab } from './lab.js'
import type { Side } from './measurement.js'
import { type Result, runHelper, runScript } from './programs.js'
import { startServer } from './servers.js'
import { createNamespace } from './widgets.js'

/** What both runtimes have in front of them: a namespace with so many objects. */
export interface Ground {
  readonly lab: Lab
  readonly helpers: string
  readonly kubeconfig: string
  readonly namespace: string
  readonly count: number
}

const bodies = {
  pods: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'bench-{name}', labels: { app: 'web' } },
    spec: { containers: [{ name: 'main', image: 'web:1' }] },
  },
  configmaps: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'bench-{name}' }, data: { key: 'value' } },
}

/** Starts one server for both runtimes, the real one when it was built, with objects in a namespace. */
export async function onGround<T>(
  lab: Lab,
  helpers: string,
  { plural, count }: { readonly plural: keyof typeof bodies; readonly count: number },
  work: (ground: Ground) => Promise<T>,
): Promise<T> {
  const server = await startServer(lab.hasReference ? 'reference' : 'ours')
  try {
    const namespace = `bench-${plural}`
    const { kubeconfig } = server
    await createNamespace(kubeconfig, namespace)
    const target = ['-kubeconfig', kubeconfig, '-path', `/api/v1/namespaces/${namespace}/${plural}`]
    await runHelper(helpers, ['load', 'create', ...target, '-body', JSON.stringify(bodies[plural]), '-count', `${count}`])
    return await work({ lab, helpers, kubeconfig, namespace, count })
  } finally {
    await server.stop()
  }
}

/** Measures our runtime and Go's in turns with the same flags: a script `runtime-<mode>` of ours, a mode of `runtime` there. */
export function race<Name extends string>({ lab, helpers, ...ground }: Ground, mode: string, flags: readonly string[] = []) {
  const { kubeconfig, namespace, count } = ground
  const args = ['-kubeconfig', kubeconfig, '-namespace', namespace, '-count', `${count}`, ...flags]
  const measure = (side: Side): Promise<Result<Name>> =>
    side === 'ours' ? runScript(`runtime-${mode}`, args) : runHelper(helpers, ['runtime', mode, ...args])
  // Go's runtime needs the helpers only, not the real server.
  return interleave(lab, { runs: lab.isQuick ? 2 : 5, warmUps: 1, sides: ['ours', 'reference'] }, measure)
}
