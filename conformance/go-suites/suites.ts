/** One test binary of controller-runtime. */
export interface Suite {
  /** Its package, below `sigs.k8s.io/controller-runtime/pkg/`. */
  readonly name: string
  /** Interrupted after this long. The real binaries need a third of it or less, on two cores. */
  readonly timeoutMs: number
  /** Takes more than a minute: only run when it is named, or with `--all`. */
  readonly isLong?: boolean
}

const minuteMs = 60_000

/**
 * What is run, from the least demanding to the most. Without `client/apiutil`, which downloads binaries of an older version, and without the packages that ask
 * no API server anything.
 */
export const suites: readonly Suite[] = [
  { name: 'reconcile', timeoutMs: 2 * minuteMs },
  { name: 'handler', timeoutMs: 2 * minuteMs },
  { name: 'cluster', timeoutMs: 2 * minuteMs },
  { name: 'source', timeoutMs: 2 * minuteMs },
  { name: 'internal/recorder', timeoutMs: 2 * minuteMs },
  { name: 'controller', timeoutMs: 2 * minuteMs },
  { name: 'controller/controllerutil', timeoutMs: 2 * minuteMs },
  { name: 'builder', timeoutMs: 2 * minuteMs },
  { name: 'client', timeoutMs: 3 * minuteMs },
  { name: 'webhook', timeoutMs: 2 * minuteMs },
  { name: 'metrics/filters', timeoutMs: 2 * minuteMs },
  { name: 'envtest', timeoutMs: 3 * minuteMs },
  { name: 'internal/controller', timeoutMs: 3 * minuteMs },
  { name: 'manager/internal/integration', timeoutMs: 3 * minuteMs },
  { name: 'manager', timeoutMs: 6 * minuteMs, isLong: true },
  { name: 'cache', timeoutMs: 6 * minuteMs, isLong: true },
]

/** The named suites in the order of the list. @throws {RangeError} for a name that is in no list. */
export function selectSuites(names: readonly string[], all: boolean): readonly Suite[] {
  const unknown = names.find((name) => !suites.some((suite) => suite.name === name))
  if (unknown !== undefined)
    throw new RangeError(`Cannot run the suite "${unknown}": expected ${suites.map(({ name }) => name).join(', ')}`)
  return suites.filter(({ name, isLong }) => (names.length === 0 ? all || isLong !== true : names.includes(name)))
}
