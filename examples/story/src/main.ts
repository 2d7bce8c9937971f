import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startControlPlane } from '@steersman/apiserver'
import { Widget } from '@steersman/example-widget/widget'
import { type AnyDefinedResourceType, type Client, customResourceDefinition } from 'steersman'
import { CustomResourceDefinition } from 'steersman/api/types/apiextensions/v1'
import { OperatorProcess } from './operator-process.js'
import { steps } from './steps.js'
import { TerminalView } from './terminal-view.js'
import { World } from './world.js'

const once = process.argv.includes('--once')
const unknown = process.argv.slice(2).filter((argument) => argument !== '--once')
if (unknown.length > 0) {
  console.error(`Cannot understand ${unknown.join(' ')}: expected nothing or --once`)
  process.exit(2)
}

const folder = await mkdtemp(join(tmpdir(), 'steersman-'))
const kubeconfigPath = join(folder, 'kubeconfig')
const startedMs = Date.now()
const controlPlane = await startControlPlane({ port: 0, kubeconfigPath, nodes: 3, controllers: 'all' })
const readyMs = Date.now() - startedMs
const world = new World(controlPlane.transport())
const operator = new OperatorProcess(kubeconfigPath, (line) => {
  if (process.env.STEERSMAN_STORY_LOG) console.error(line)
})

let ending: Promise<void> | undefined
const end = (): Promise<void> => {
  ending ??= (async () => {
    await operator.stop()
    await world.stop()
    await controlPlane.stop()
    await rm(folder, { recursive: true, force: true })
  })()
  return ending
}

process.once('SIGINT', () => void end().then(() => process.exit(once ? 130 : 0)))
process.once('SIGTERM', () => void end().then(() => process.exit(once ? 143 : 0)))

try {
  await installDefinition(world.client, Widget)
  world.start()
  operator.start()
  if (once) await tell()
  else await show()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
  await end()
}

async function tell(): Promise<void> {
  console.log(`control plane ready in ${readyMs} ms at ${controlPlane.url}`)
  const before = Date.now()
  for (const [index, step] of steps.entries()) {
    const stepMs = Date.now()
    try {
      const outcome = await step.run(world, operator)
      console.log(`${index + 1}. ${step.title}: ${outcome} (${((Date.now() - stepMs) / 1000).toFixed(2)} s)`)
    } catch (error) {
      throw new Error(
        `${index + 1}. ${step.title}: failed after ${((Date.now() - stepMs) / 1000).toFixed(2)} s\n${(error as Error).message}`,
        { cause: error },
      )
    }
  }
  console.log(`the story came true in ${((Date.now() - before) / 1000).toFixed(2)} s`)
  await end()
}

async function show(): Promise<void> {
  const view = new TerminalView(process.stdout, [
    `Control plane ready in ${readyMs} ms at ${controlPlane.url}; the widget operator is running. Ctrl-C ends everything.`,
    '',
    `  export KUBECONFIG=${kubeconfigPath}`,
    '  kubectl get widgets,deployments,replicasets,pods',
    '  kubectl scale widget hello --replicas=5',
    '  kubectl patch widget hello --type=merge -p \'{"spec":{"image":"hello:2"}}\'',
    '  kubectl delete deployment hello',
    '  kubectl delete widget hello',
  ])
  view.follow(world)
  await world.client.create(Widget, { metadata: { namespace: 'default', name: 'hello' }, spec: { image: 'hello:1', replicas: 3 } })
}

async function installDefinition(client: Client, type: AnyDefinedResourceType): Promise<void> {
  await client.create(CustomResourceDefinition, customResourceDefinition(type))
}
