import { sections } from './sections/index.js'
import { testSession } from './session.js'

/** With controllers and nodes at work. */
testSession({ controlPlane: 'whole', sections, recordFrom: process.env.STEERSMAN_RECORD })
