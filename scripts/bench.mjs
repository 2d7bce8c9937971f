/** Measures what the goals name and prints a table: `npm run bench [-- --quick] [-- --only=start,create]`; `--help` explains every option. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, installDependencies, root } from './install.mjs'

installDependencies()
await build()
const { main } = await import(pathToFileURL(join(root, 'bench/dist/main.js')).href)
process.exitCode = await main(process.argv.slice(2))
