/** The Go package of a group's internal types: refusals show it. */
export function internalPackage(group: string): string {
  return group === '' ? 'core' : (group.split('.', 1)[0] ?? group)
}
