import { realControlPlane } from '../runtime/test-cluster.js'
import { controllersInRealTime } from './real-time.suite.js'

controllersInRealTime(realControlPlane)
