import { changesOfPods } from './changes.js'
import { podsOfNodes } from './nodes.js'
import { podsAndTemplates } from './templates.js'
import { wrongContainers } from './wrong-containers.js'
import { wrongSpecs } from './wrong-specs.js'

/** Pods, and the plainest things that make them. */
export const kindsPods = [...podsAndTemplates, ...podsOfNodes, ...wrongContainers, ...wrongSpecs, ...changesOfPods]
