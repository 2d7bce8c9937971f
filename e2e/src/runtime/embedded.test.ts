import { runtimeSuites } from './suites/index.js'
import { embeddedInProcess } from './test-cluster.js'

runtimeSuites(embeddedInProcess)
