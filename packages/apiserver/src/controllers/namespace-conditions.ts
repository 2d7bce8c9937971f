import { formatTime } from 'steersman/api'
import type { NamespaceCondition } from 'steersman/api/types/core/v1'

/** How the deletion of a namespace's content went. */
export interface ContentDeletion {
  /** Why some groups could not be discovered. */
  readonly discoveryFailure?: string
  /** What could not be deleted, one message per resource. */
  readonly failures: readonly string[]
  /** Objects left, by `plural.group`; the group of core resources is empty. */
  readonly remaining: ReadonlyMap<string, number>
  /** Objects that wait for a finalizer, by finalizer. */
  readonly finalizers: ReadonlyMap<string, number>
}

interface Verdict {
  readonly isProblem: boolean
  readonly reason: string
  readonly message: string
}

/** The conditions that tell how far the deletion of a namespace is. The same array when nothing changed. */
export function namespaceConditions(
  present: readonly NamespaceCondition[],
  deletion: ContentDeletion,
  nowMs: number,
): readonly NamespaceCondition[] {
  let conditions = present
  for (const [type, { isProblem, reason, message }] of verdicts(deletion)) {
    const status = isProblem ? 'True' : 'False'
    const before = conditions.find((condition) => condition.type === type)
    if (before?.status === status && before.reason === reason && before.message === message) continue
    const lastTransitionTime = (before?.status === status && before.lastTransitionTime) || formatTime(nowMs)
    const after: NamespaceCondition = { type, status, reason, message, lastTransitionTime }
    conditions = before === undefined ? [...conditions, after] : conditions.map((condition) => (condition === before ? after : condition))
  }
  return conditions
}

function verdicts({ discoveryFailure, failures, remaining, finalizers }: ContentDeletion): readonly (readonly [string, Verdict])[] {
  const good = (reason: string, message: string): Verdict => ({ isProblem: false, reason, message })
  const problem = (reason: string, message: string): Verdict => ({ isProblem: true, reason, message })
  const counted = (counts: ReadonlyMap<string, number>, words: (name: string, count: number) => string): string =>
    [...counts]
      .map(([name, count]) => words(name, count))
      .sort()
      .join(', ')
  return [
    [
      'NamespaceDeletionDiscoveryFailure',
      discoveryFailure === undefined
        ? good('ResourcesDiscovered', 'All resources successfully discovered')
        : problem('DiscoveryFailed', discoveryFailure),
    ],
    ['NamespaceDeletionGroupVersionParsingFailure', good('ParsedGroupVersions', 'All legacy kube types successfully parsed')],
    [
      'NamespaceDeletionContentFailure',
      failures.length === 0
        ? good('ContentDeleted', 'All content successfully deleted, may be waiting on finalization')
        : problem(
            'ContentDeletionFailed',
            `Failed to delete all resource types, ${failures.length} remaining: ${[...failures].sort().join(', ')}`,
          ),
    ],
    [
      'NamespaceContentRemaining',
      remaining.size === 0
        ? good('ContentRemoved', 'All content successfully removed')
        : problem(
            'SomeResourcesRemain',
            `Some resources are remaining: ${counted(remaining, (name, count) => `${name} has ${count} resource instances`)}`,
          ),
    ],
    [
      'NamespaceFinalizersRemaining',
      finalizers.size === 0
        ? good('ContentHasNoFinalizers', 'All content-preserving finalizers finished')
        : problem(
            'SomeFinalizersRemain',
            `Some content in the namespace has finalizers remaining: ${counted(finalizers, (name, count) => `${name} in ${count} resource instances`)}`,
          ),
    ],
  ]
}
