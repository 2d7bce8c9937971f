/** Kubectl patches built-in kinds, and definitions of custom ones, with strategic merge patches when it applies, edits and rolls out. */
export const noStrategicMergePatch = 'strategic merge patch of built-in kinds is not served yet'
export const noServerSideApply = 'server-side apply is not served yet, so it is not among the accepted media types'
/** For a group that is in no OpenAPI v3 document, kubectl looks into the v2 document before it says that there is no such kind. */
export const noOpenApiV2 = 'the OpenAPI v2 document is not served yet'
export const noFieldDocumentation = 'fields of built-in structures have no description yet'
export const noQuota = 'ResourceQuota and LimitRange are not served yet'
