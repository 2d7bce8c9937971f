export type { Environment } from './environment/index.js'
