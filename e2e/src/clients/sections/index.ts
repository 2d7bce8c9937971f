import type { Section } from '../command.js'
import { config } from './config.js'
import { customResources } from './custom-resources.js'
import { deletion } from './deletion.js'
import { discovery } from './discovery.js'
import { helm } from './helm.js'
import { operator } from './operator.js'
import { refusals } from './refusals.js'
import { workloads } from './workloads.js'

/** The session, in order: later sections find what earlier ones left. */
export const sections: readonly Section[] = [discovery, customResources, refusals, deletion, config, workloads, helm, operator]
