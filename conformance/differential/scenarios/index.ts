import type { Scenario } from '../language/index.js'
import { builtInKinds } from './built-in-kinds.js'
import { customResources } from './custom-resources.js'
import { deletion } from './delete.js'
import { discovery } from './discovery.js'
import { errors } from './errors.js'
import { garbageCollection } from './garbage-collection.js'
import { kindsAdmissionRegistration } from './kinds-admissionregistration.js'
import { kindsApiRegistration } from './kinds-apiregistration.js'
import { kindsFlowControl } from './kinds-flowcontrol.js'
import { kindsResource } from './kinds-resource.js'
import { paging } from './paging.js'
import { patch } from './patch.js'
import { selectors } from './selectors.js'
import { subresources } from './subresources.js'
import { validation } from './validation.js'
import { watch } from './watch.js'

/** Every scenario, in the order of areas. */
export const scenarios: readonly Scenario[] = [
  ...errors,
  ...selectors,
  ...paging,
  ...watch,
  ...patch,
  ...subresources,
  ...customResources,
  ...deletion,
  ...garbageCollection,
  ...discovery,
  ...builtInKinds,
  ...validation,
  ...kindsAdmissionRegistration,
  ...kindsApiRegistration,
  ...kindsFlowControl,
  ...kindsResource,
]
