import type { UnstructuredObject } from 'steersman/api'
import { deepFreeze } from 'steersman/internal'

/** A conversion that may be asked again and again for the same frozen object. */
export type Conversion = (object: UnstructuredObject) => UnstructuredObject

/** No conversion at all: objects are stored as they are served. */
export const unconverted: Conversion = (object) => object

/** Remembers what a conversion made of a frozen object, so that the result is one value for everybody. */
export function remembered(convert: Conversion): Conversion {
  const results = new WeakMap<UnstructuredObject, UnstructuredObject>()
  return (object) => {
    let result = results.get(object)
    if (result === undefined) {
      result = deepFreeze(convert(object))
      results.set(object, result)
    }
    return result
  }
}

/** Rewrites apiVersion and nothing else: the conversion strategy `None` of custom resources. */
export function rewriteApiVersion(apiVersion: string): Conversion {
  return (object) => (object.apiVersion === apiVersion ? object : { ...object, apiVersion })
}
