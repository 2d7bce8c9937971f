import type { Known } from '../command.js'

export const noServerSideApply: Known = {
  because: 'server-side apply is not served yet, so it is not among the accepted media types',
  shows: /accepted media types include: application\/json-patch\+json, application\/merge-patch\+json$/m,
}

export const noQuota: Known = {
  because: 'ResourceQuota and LimitRange are not served yet',
  shows: /^Status: +Active$/m,
}
