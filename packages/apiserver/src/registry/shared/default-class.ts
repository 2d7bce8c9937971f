import type { UnstructuredObject } from 'steersman/api'

const annotations = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class']

/** Whether a storage class is marked as the one of claims that name none. */
export function isDefaultStorageClass({ metadata }: UnstructuredObject): boolean {
  return annotations.some((annotation) => metadata.annotations?.[annotation] === 'true')
}
