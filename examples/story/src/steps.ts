import { Widget } from '@steersman/example-widget/widget'
import { ignoreNotFound, mergePatch } from 'steersman'
import { Deployment } from 'steersman/api/types/apps/v1'
import { expectSoon } from './expectation.js'
import type { OperatorProcess } from './operator-process.js'
import { isPodReady, type World } from './world.js'

/** One step of the story: what happens, and what must come true. */
export interface Step {
  readonly title: string
  run(world: World, operator: OperatorProcess): Promise<string>
}

const key = { namespace: 'default', name: 'hello' }

export const steps: readonly Step[] = [
  {
    title: 'a Widget is created',
    async run(world) {
      await world.client.create(Widget, { metadata: key, spec: { image: 'hello:1', replicas: 2 } })
      await expectSoon(world, 'a Deployment "hello" owned by the Widget', () =>
        world.deployments.some((deployment) => isOwnedByWidget(world, deployment)),
      )
      return 'the operator made a Deployment'
    },
  },
  {
    title: 'it becomes ready',
    async run(world) {
      await expectReady(world, 'hello:1', 2)
      return '2 of 2 pods are ready, and the Widget says so'
    },
  },
  {
    title: 'it is scaled up',
    async run(world) {
      await world.client.patch(Widget, key, mergePatch({ spec: { replicas: 4 } }))
      await expectReady(world, 'hello:1', 4)
      return '4 of 4 pods are ready'
    },
  },
  {
    title: 'its image changes',
    async run(world) {
      let lowest = Number.POSITIVE_INFINITY
      const unsubscribe = world.onChange(() => {
        lowest = Math.min(lowest, world.pods.filter(isPodReady).length)
      })
      try {
        await world.client.patch(Widget, key, mergePatch({ spec: { image: 'hello:2' } }))
        await expectReady(world, 'hello:2', 4)
      } finally {
        unsubscribe()
      }
      // 25 % of 4 may be unavailable during a rolling update.
      if (lowest < 3) throw new Error(`expected at least 3 ready pods at any time of the rollout; seen: ${lowest}`)
      return `rolled out; never fewer than ${lowest} pods were ready`
    },
  },
  {
    title: 'its Deployment is deleted by hand',
    async run(world) {
      const before = await world.client.get(Deployment, key)
      await world.client.delete(Deployment, key, { propagationPolicy: 'Background' })
      await expectSoon(world, 'a new Deployment in place of the deleted one', () =>
        world.deployments.some((deployment) => deployment.metadata.name === key.name && deployment.metadata.uid !== before.metadata.uid),
      )
      await expectReady(world, 'hello:2', 4)
      return 'the operator made it again'
    },
  },
  {
    title: 'the operator is killed between two writes',
    async run(world, operator) {
      const attempts = await killBetweenWrites(world, operator)
      operator.start()
      await expectReady(world, `hello:${2 + attempts}`, 4)
      return 'a new operator found the Deployment written and the status not, and finished'
    },
  },
  {
    title: 'the Widget is deleted',
    async run(world) {
      await world.client.delete(Widget, key, { propagationPolicy: 'Background' })
      await expectSoon(world, 'no Widget, Deployment, ReplicaSet or Pod left', () => {
        return world.widgets.length + world.deployments.length + world.replicaSets.length + world.pods.length === 0
      })
      return 'everything it owned is gone'
    },
  },
]

/**
 * Changes the image and kills the operator with SIGKILL at the moment its write of the Deployment is stored, before it can write the Widget's status.
 * The process may be quicker now and then; then the next change is tried.
 */
async function killBetweenWrites(world: World, operator: OperatorProcess): Promise<number> {
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const image = `hello:${2 + attempt}`
    const killed = new Promise<void>((resolve, reject) => {
      const unsubscribe = world.onChange(() => {
        if (!world.deployments.some((deployment) => deployment.spec?.template.spec?.containers[0]?.image === image)) return
        unsubscribe()
        operator.kill().then(resolve, reject)
      })
    })
    const widget = await world.client.patch(Widget, key, mergePatch({ spec: { image } }))
    await killed
    const after = await world.client.get(Widget, key)
    if ((after.status?.observedGeneration ?? 0) < (widget.metadata.generation ?? 0)) return attempt
    operator.start()
    await expectReady(world, image, 4)
  }
  throw new Error('expected to kill the operator between its two writes; in five attempts it wrote both')
}

function isOwnedByWidget(world: World, deployment: Deployment): boolean {
  const widget = world.widgets.find((candidate) => candidate.metadata.name === key.name)
  return deployment.metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === widget?.metadata.uid) === true
}

async function expectReady(world: World, image: string, replicas: number): Promise<void> {
  await expectSoon(
    world,
    `Widget "hello" Ready with ${replicas} of ${replicas} replicas of ${image}, observed at its newest generation`,
    () => {
      const widget = world.widgets.find((candidate) => candidate.metadata.name === key.name)
      const ready = widget?.status?.conditions?.find((condition) => condition.type === 'Ready')
      const pods = world.pods.filter((pod) => isPodReady(pod) && pod.spec?.containers[0]?.image === image)
      return ready?.status === 'True' && widget?.status?.observedGeneration === widget?.metadata.generation && pods.length === replicas
    },
  )
}

/** Leaves nothing of the story in the cluster. */
export async function cleanUp(world: World): Promise<void> {
  await world.client.delete(Widget, key).catch(ignoreNotFound)
}
