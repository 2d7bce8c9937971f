import type { Scenario } from '../language/index.js'
import { authentications } from './authentication.js'
import { authorizations } from './authorization.js'
import { builtInKinds } from './built-in-kinds.js'
import { customResources } from './custom-resources.js'
import { deletion } from './delete.js'
import { discovery } from './discovery.js'
import { errors } from './errors.js'
import { everyResource } from './every-resource.js'
import { garbageCollection } from './garbage-collection.js'
import { kindsAdmissionRegistration } from './kinds-admissionregistration.js'
import { kindsApiRegistration } from './kinds-apiregistration.js'
import { kindsApps } from './kinds-apps.js'
import { kindsAutoscaling, kindsPolicy } from './kinds-autoscaling.js'
import { kindsBatch } from './kinds-batch.js'
import { kindsCertificates } from './kinds-certificates.js'
import { kindsCore } from './kinds-core.js'
import { kindsFlowControl } from './kinds-flowcontrol.js'
import { kindsLimits } from './kinds-limits.js'
import { kindsNetworking } from './kinds-networking.js'
import { kindsPods } from './kinds-pods/index.js'
import { kindsRbac } from './kinds-rbac.js'
import { kindsResource } from './kinds-resource.js'
import { kindsScheduling } from './kinds-scheduling.js'
import { kindsStorage } from './kinds-storage.js'
import { otherVersions } from './other-versions.js'
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
  ...kindsCore,
  ...kindsStorage,
  ...kindsLimits,
  ...kindsNetworking,
  ...kindsScheduling,
  ...kindsAdmissionRegistration,
  ...kindsApiRegistration,
  ...kindsFlowControl,
  ...kindsResource,
  ...everyResource,
  ...otherVersions,
  ...kindsRbac,
  ...authentications,
  ...authorizations,
  ...kindsCertificates,
  ...kindsApps,
  ...kindsBatch,
  ...kindsAutoscaling,
  ...kindsPolicy,
  ...kindsPods,
]
