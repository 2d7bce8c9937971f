/** Installs what is missing and compiles every package. */
import { build, installDependencies } from './install.mjs'

installDependencies()
await build()
