import type { Known } from '../command.js'

export const noServerSideApply: Known = {
  because: 'server-side apply is not served yet, so it is not among the accepted media types',
  shows: /accepted media types include: application\/json-patch\+json, application\/merge-patch\+json$/m,
}

/** For a group that is in no OpenAPI v3 document, kubectl looks into the v2 document before it says that there is no such kind. */
export const noOpenApiV2: Known = {
  because: 'the OpenAPI v2 document is not served yet',
  shows: /error validating data: (?:failed to download openapi: )?the server could not find the requested resource/,
}

export const noFieldDocumentation: Known = {
  because: 'fields of built-in structures have no description yet',
  shows: /^ {2}apiVersion\t<string>\n {4}<no description>$/m,
}

export const noQuota: Known = {
  because: 'ResourceQuota and LimitRange are not served yet',
  shows: /^Status: +Active$/m,
}
