import type { Known } from '../command.js'

export const noServerSideApply: Known = {
  because: 'server-side apply is not served yet, so it is not among the accepted media types',
  shows: /accepted media types include: application\/json-patch\+json, application\/merge-patch\+json$/m,
}

export const emptyListIsChange: Known = {
  because: 'an empty list is stored as none and then differs from what is written, which counts as a change of the generation there',
  shows: /^\$ kubectl diff -f kinds\/admission\.yaml$/,
}

export const noAddressObjects: Known = {
  because: 'the cluster IPs of services are not shown as objects of IPAddress',
  shows: /servicecidr\.networking\.k8s\.io\/kubernetes {3}<ip>\/24 {3}<age>$(?!\n\nNAMESPACE)/m,
}
