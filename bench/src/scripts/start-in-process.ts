/** Prints how long `startControlPlane()` takes inside a process that has loaded it. */
import { startControlPlane } from '@steersman/apiserver'
import { endWithParent } from './end-with-parent.js'

endWithParent()
const warmUp = await startControlPlane({ nodes: 0, controllers: 'none' })
await warmUp.stop()
const before = performance.now()
const controlPlane = await startControlPlane({ nodes: 0, controllers: 'none' })
const milliseconds = performance.now() - before
await controlPlane.stop()
console.log(JSON.stringify({ milliseconds }))
