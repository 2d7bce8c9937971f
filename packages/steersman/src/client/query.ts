import type { DeleteOptions, GetOptions, ListOptions, WatchOptions, WriteOptions } from './client.js'

/** Query parameters of a get. Here and below, parameters come in a fixed order, so that traces of two runs are equal. */
export function getQuery(options: GetOptions): URLSearchParams | undefined {
  return options.resourceVersion === undefined ? undefined : new URLSearchParams({ resourceVersion: options.resourceVersion })
}

export function listQuery(options: ListOptions): URLSearchParams | undefined {
  const query = new URLSearchParams()
  set(query, 'labelSelector', options.labelSelector)
  set(query, 'fieldSelector', options.fieldSelector)
  set(query, 'limit', options.limit)
  set(query, 'continue', options.continue)
  set(query, 'resourceVersion', options.resourceVersion)
  set(query, 'resourceVersionMatch', options.resourceVersionMatch)
  return orNothing(query)
}

export function watchQuery(options: WatchOptions): URLSearchParams {
  const query = new URLSearchParams({ watch: 'true' })
  set(query, 'labelSelector', options.labelSelector)
  set(query, 'fieldSelector', options.fieldSelector)
  set(query, 'resourceVersion', options.resourceVersion)
  set(query, 'resourceVersionMatch', options.resourceVersionMatch)
  set(query, 'allowWatchBookmarks', options.allowWatchBookmarks)
  set(query, 'sendInitialEvents', options.sendInitialEvents)
  set(query, 'timeoutSeconds', options.timeoutSeconds)
  return query
}

export function writeQuery(options: WriteOptions, fieldManager: string | undefined): URLSearchParams | undefined {
  const query = new URLSearchParams()
  set(query, 'fieldManager', fieldManager)
  set(query, 'fieldValidation', options.fieldValidation)
  if (options.dryRun) query.set('dryRun', 'All')
  return orNothing(query)
}

/** The body of a delete; absent when no option is set. Every group accepts it in version `v1`. */
export function deleteBody({ propagationPolicy, gracePeriodSeconds, preconditions, dryRun }: DeleteOptions): object | undefined {
  const body = {
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(preconditions !== undefined && { preconditions }),
    ...(dryRun && { dryRun: ['All'] }),
  }
  return Object.keys(body).length === 0 ? undefined : { kind: 'DeleteOptions', apiVersion: 'v1', ...body }
}

function set(query: URLSearchParams, name: string, value: string | number | boolean | undefined): void {
  // An empty string says the same as an absent parameter, for selectors as for resourceVersion.
  if (value !== undefined && value !== '') query.set(name, String(value))
}

function orNothing(query: URLSearchParams): URLSearchParams | undefined {
  return query.size === 0 ? undefined : query
}
