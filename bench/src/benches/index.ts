/**
 * What is measured, in the order of the table. Each bench stands for some of the goals; goals that nothing can reach yet have a line that says so.
 */
import type { Bench } from '../lab.js'
import { create } from './create.js'
import { dropIn } from './drop-in.js'
import { importCost, simulation } from './own.js'
import { list, watch } from './read.js'
import { reconcile, sync } from './runtime.js'
import { inProcess, start, startAll } from './start.js'

export const benches: readonly Bench[] = [start, startAll, inProcess, create, list, watch, sync, reconcile, dropIn, simulation, importCost]
