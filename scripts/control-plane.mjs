/** Serves the embedded control plane: `npm run control-plane -- --kubeconfig FILE`. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, installDependencies, root } from './install.mjs'

installDependencies()
await build()
await import(pathToFileURL(join(root, 'packages/apiserver/dist/bin/control-plane.js')).href)
