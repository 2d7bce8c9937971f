import type { AnyResourceType, KubernetesList, KubernetesObject, WatchEvent } from '../api/index.js'
import type { Client, ListOptions, WatchOptions } from '../client/index.js'
import type { InformerOptions } from './cache.js'

/** Where a reflector gets objects from: one kind, one namespace or all, one selector. */
export interface ListWatch {
  list(options: ListOptions): Promise<KubernetesList<KubernetesObject>>
  watch(options: WatchOptions): AsyncIterable<readonly WatchEvent<KubernetesObject>[]>
}

/** Lists and watches what the options select, live, through the client. */
export function listWatchOf(client: Client, type: AnyResourceType, options: InformerOptions): ListWatch {
  const { namespace, labelSelector, fieldSelector } = options
  const scope = {
    ...(namespace ? { namespace } : {}),
    ...(labelSelector ? { labelSelector } : {}),
    ...(fieldSelector ? { fieldSelector } : {}),
  }
  const source = options.metadataOnly ? client.metadata : client
  return {
    list: (request) => source.list(type, { ...scope, ...request }) as Promise<KubernetesList<KubernetesObject>>,
    watch: (request) => source.watch(type, { ...scope, ...request }) as AsyncIterable<readonly WatchEvent<KubernetesObject>[]>,
  }
}
