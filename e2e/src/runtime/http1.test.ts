import { runtimeSuites } from './suites/index.js'
import { embeddedOverHttps } from './test-cluster.js'

runtimeSuites(embeddedOverHttps('http1'))
