import type { UnstructuredObject } from 'steersman/api'
import { badRequest, goQuote, StatusError, validatePathSegmentName } from 'steersman/api'
import type { Binding } from 'steersman/api/types/core/v1'
import type { Registry, ReviewEvaluator } from '../../contracts/index.js'
import { checkTarget } from '../subresources/binding.js'

/** The resource `bindings`: an older way to the `binding` subresource of the pod that the binding names. */
export function podBinding(registry: Pick<Registry, 'resource'>): ReviewEvaluator {
  return {
    async evaluate(binding, request) {
      const pods = registry.resource('', 'v1', 'pods')?.subresource('binding')
      if (pods === undefined) throw new TypeError('Cannot bind pods: the registry has no store for it')
      checkTarget(binding as unknown as Partial<Binding>)
      const key = { namespace: request.namespace, name: binding.metadata.name ?? '' }
      const [problem] = key.name === '' ? [] : validatePathSegmentName(key.name)
      if (key.name === '') throw new StatusError(badRequest('Name parameter required.'))
      if (problem !== undefined) throw new StatusError(badRequest(`Name parameter invalid: ${goQuote(key.name)}: ${problem}`))
      return (await pods.create(key, binding, request)) as UnstructuredObject
    },
  }
}
