import type { Section } from '../../command.js'
import { access } from './access.js'
import { create } from './create.js'
import { editing } from './editing.js'
import { explain } from './explain.js'
import { kinds } from './kinds.js'
import { nodes } from './nodes.js'
import { pieces } from './pieces.js'
import { resources } from './resources.js'
import { running } from './running.js'

/** The session without controllers and nodes, in order: later sections find what earlier ones left. */
export const serverSections: readonly Section[] = [resources, explain, access, create, running, editing, pieces, nodes, kinds]
