import type { AnyResourceType, KubernetesList, ResourceOf } from '../api/index.js'
import type { ListOptions, Reader } from './client.js'

/**
 * Lists in pages of `options.limit` objects, one request for each page, so that no answer is huge. All pages show the same moment.
 *
 * @param options.limit @default 500
 * @throws {StatusError} as {@link Reader.list}; `Expired` when so much time went by between two pages that the server forgot that moment: list again.
 */
export async function* listPages<Type extends AnyResourceType>(
  reader: Reader,
  type: Type,
  options: ListOptions = {},
): AsyncGenerator<KubernetesList<ResourceOf<Type>>, void, undefined> {
  let page = await reader.list(type, { limit: 500, ...options })
  yield page
  while (page.metadata.continue) {
    // The token fixes the moment; a resourceVersion beside it is refused.
    const { resourceVersion: _, resourceVersionMatch: __, ...rest } = options
    page = await reader.list(type, { limit: 500, ...rest, continue: page.metadata.continue })
    yield page
  }
}
