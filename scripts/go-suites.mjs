/** `npm run test:go-suites`: controller-runtime's own suites on the real binaries and on ours. Needs Go and what `npm run build:control-plane` builds. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, installDependencies, root } from './install.mjs'

installDependencies()
await build()
await import(pathToFileURL(join(root, 'conformance/dist/go-suites/main.js')).href)
