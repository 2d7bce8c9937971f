import { serverSections } from './sections/server/index.js'
import { testSession } from './session.js'

/** With an API server only: what stands in the objects is what was typed. */
testSession({ controlPlane: 'server', sections: serverSections, recordFrom: process.env.STEERSMAN_RECORD_SERVER })
