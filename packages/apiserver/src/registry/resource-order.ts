import type { ServedResource } from '../contracts/index.js'
import { builtinGroupVersions } from '../schema/index.js'

/** The order of discovery: groups, then versions by stability, then resources by plural. */
export function compareResources(a: ServedResource, b: ServedResource): number {
  return (
    groupRank(a.type.group) - groupRank(b.type.group) ||
    compareText(a.type.group, b.type.group) ||
    compareVersions(a.type.version, b.type.version) ||
    compareText(a.type.plural, b.type.plural)
  )
}

/** Built-in groups as the real server lists them; other groups follow by name. */
const groupRanks: ReadonlyMap<string, number> = new Map(
  [...new Set(builtinGroupVersions.map(({ group }) => group))].map((group, rank) => [group, rank]),
)

function groupRank(group: string): number {
  return groupRanks.get(group) ?? groupRanks.size
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const kubernetesVersion = /^v(\d+)(?:(alpha|beta)(\d+))?$/
const stability: Readonly<Record<string, number>> = { alpha: 0, beta: 1 }

/** Orders versions by preference: v2, v1, v2beta1, v1alpha1, and others by name after them. */
function compareVersions(a: string, b: string): number {
  const left = kubernetesVersion.exec(a)
  const right = kubernetesVersion.exec(b)
  if (left === null || right === null) return left === right ? compareText(a, b) : left === null ? 1 : -1
  const rank = (match: RegExpExecArray) => [stability[match[2] ?? ''] ?? 2, Number(match[1]), Number(match[3] ?? 0)]
  const [leftRank, rightRank] = [rank(left), rank(right)]
  for (let index = 0; index < 3; index++) {
    const difference = (rightRank[index] ?? 0) - (leftRank[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
