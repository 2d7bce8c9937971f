/**
 * The differential suite. `npm run test:differential` compares the embedded server with the recorded answers of the real one; `npm run record [-- NAME…]`
 * records anew, and `npm run fuzz [-- --seed=N]` compares both with
 * random requests; these need what `npm run build:control-plane` builds.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, installDependencies, root } from './install.mjs'

installDependencies()
await build()
await import(pathToFileURL(join(root, 'conformance/dist/differential/main.js')).href)
