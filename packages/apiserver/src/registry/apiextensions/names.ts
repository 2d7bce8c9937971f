import { goQuote } from 'steersman/api'
import type { CustomResourceDefinition, CustomResourceDefinitionNames } from 'steersman/api/types/apiextensions/v1'
import { hasCondition } from './conditions.js'

/** Which of the names that a definition asks for it gets. */
export interface NamesVerdict {
  readonly acceptedNames: CustomResourceDefinitionNames
  /** Absent: all were accepted. */
  readonly conflict?: { readonly reason: string; readonly message: string }
}

/** Decides on names: within a group, resources share one set of names and kinds another. First come, first served. */
export function decideNames(definition: CustomResourceDefinition, others: readonly CustomResourceDefinition[]): NamesVerdict {
  const { group, names } = definition.spec
  const resources = new Set<string>()
  const kinds = new Set<string>()
  for (const other of others) {
    if (other.metadata.name === definition.metadata.name || other.spec.group !== group) continue
    const taken = other.status?.acceptedNames
    if (taken === undefined) continue
    for (const name of [taken.plural, taken.singular, ...(taken.shortNames ?? [])]) if (name) resources.add(name)
    for (const kind of [taken.kind, taken.listKind]) if (kind) kinds.add(kind)
  }
  const before = definition.status?.acceptedNames
  const accepted: { -readonly [Field in keyof CustomResourceDefinitionNames]: CustomResourceDefinitionNames[Field] } = {
    plural: before?.plural ?? '',
    kind: before?.kind ?? '',
  }
  let conflict: { reason: string; message: string } | undefined
  const decide = (reason: string, wanted: readonly string[], taken: ReadonlySet<string>, accept: () => void) => {
    const clash = wanted.find((name) => taken.has(name))
    if (clash === undefined) accept()
    else conflict ??= { reason, message: `${goQuote(clash)} is already in use` }
  }
  const { plural, singular = '', shortNames = [], kind, listKind = '', categories } = names
  decide('PluralConflict', [plural], resources, () => {
    accepted.plural = plural
  })
  decide('SingularConflict', [singular], resources, () => {
    accepted.singular = singular
  })
  decide('ShortNamesConflict', shortNames, resources, () => {
    if (shortNames.length > 0) accepted.shortNames = shortNames
  })
  decide('KindConflict', [kind], kinds, () => {
    accepted.kind = kind
  })
  decide('ListKindConflict', [listKind], kinds, () => {
    accepted.listKind = listKind
  })
  if (categories !== undefined && categories.length > 0) accepted.categories = categories
  return conflict === undefined ? { acceptedNames: accepted } : { acceptedNames: accepted, conflict }
}

/** Whether the API of a definition is served: once it was established it stays so. */
export function isEstablished(definition: CustomResourceDefinition): boolean {
  return hasCondition(definition, 'Established')
}
