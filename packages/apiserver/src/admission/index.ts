/**
 * Room `admission`: what has a say in a write beside the kind itself.
 *
 * A chain of plugins behind one interface (`contracts/admission`). A plugin may complete the object (`admit`) or refuse the write (`validate`, or
 * `admit` where kube-apiserver refuses that early). The registry calls the chain for every attempt of a write.
 *
 * Promises: order and messages are kube-apiserver's; a plugin sees frozen objects and returns new ones.
 *
 * Who may give permissions to others, and sign what, is admitted by plugins of room `auth`. Deliberately not here yet: admission webhooks and
 * policies, quota.
 */
export { admissionChain } from './chain.js'
export { defaultIngressClass } from './default-ingress-class.js'
export { defaultStorageClass } from './default-storage-class.js'
export { defaultTolerationSeconds } from './default-toleration-seconds.js'
export { deviceAdminAccess } from './device-admin-access.js'
export { limitRanger } from './limit-ranger.js'
export { namespaceLifecycle } from './namespace-lifecycle.js'
export { persistentVolumeClaimResize } from './persistent-volume-claim-resize.js'
export { priorityAdmission } from './priority.js'
export { runtimeClassAdmission } from './runtime-class.js'
export { serviceAccountAdmission } from './service-account.js'
export { storageObjectInUseProtection } from './storage-object-in-use.js'
export { taintNodesByCondition } from './taint-nodes.js'
