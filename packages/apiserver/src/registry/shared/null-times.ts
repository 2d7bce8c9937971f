/** Fields of conditions that Go writes even when they hold no time: a struct is never empty. */
type Times = readonly string[]

/** Writes out the times that are not known: as `null`, as kube-apiserver does. */
export function fillNullTimes(conditions: readonly object[] | undefined, fields: Times): void {
  for (const condition of conditions ?? []) {
    const draft = condition as Record<string, unknown>
    for (const field of fields) draft[field] ??= null
  }
}
