/** Measures what the goals name and prints a table: `npm run bench [-- --quick] [-- --only=start]`. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, installDependencies, root } from './install.mjs'

installDependencies()
await build()
await import(pathToFileURL(join(root, 'bench/dist/main.js')).href)
