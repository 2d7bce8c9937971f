import { runtimeSuites } from './suites/index.js'
import { realControlPlane } from './test-cluster.js'

runtimeSuites(realControlPlane)
