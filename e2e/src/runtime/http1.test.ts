import { transportSuites } from './suites/index.js'
import { embeddedOverHttps } from './test-cluster.js'

transportSuites(embeddedOverHttps('http1'))
