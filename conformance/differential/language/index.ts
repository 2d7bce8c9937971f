/**
 * The language of scenarios: what is asked of a server, as data.
 *
 * {@link defineArea} hands out a builder whose methods write steps down; {@link Resource} values name what is asked for. A scenario knows no server: names of
 * namespaces and groups, and what earlier answers held, are references that the run fills in.
 *
 * Deliberately not here: how a scenario is run (`run`), and what of an answer counts (`compare`).
 */
export {
  apiVersionOf,
  clusterRoleBindings,
  clusterRoles,
  collectionPath,
  configMaps,
  coreEvents,
  customResourceDefinitions,
  deployments,
  events,
  leases,
  named,
  namespaces,
  nodes,
  podSpec,
  pods,
  type Resource,
  replicaSets,
  roleBindings,
  roles,
  secrets,
  serviceAccounts,
  services,
  stamped,
  table,
  tableMediaType,
  workloadSpec,
} from './resources.js'
export type { Answer, DefineScenarios, OpenWatch, PatchType, RequestOptions } from './scenario-builder.js'
export { customResource, defineArea, definition, ScenarioBuilder, versionOf } from './scenario-builder.js'
export type {
  Area,
  Condition,
  EndStep,
  EventsStep,
  Json,
  JsonObject,
  Keep,
  RequestStep,
  Scenario,
  Step,
  UntilStep,
  UserName,
  WatchStep,
} from './steps.js'
export { areas, requestAreas } from './steps.js'
