/** The main job: a control plane, the widget operator and a Widget, live. `npm start -- --once` walks a story and ends by itself. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, installDependencies, root } from './install.mjs'

installDependencies()
await build()
await import(pathToFileURL(join(root, 'examples/story/dist/main.js')).href)
