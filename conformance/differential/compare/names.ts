/**
 * Names for what no two servers have in common. The same value has the same name wherever it stands in a transcript, so that a uid that changes, or a name that
 * points nowhere, is still seen.
 */
export class Names {
  readonly #names = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  /** `<uid-1>`, `<uid-2>`, … in the order of first use. */
  of(kind: string, value: string): string {
    const key = `${kind} ${value}`
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    const name = `<${kind}-${count}>`
    this.#names.set(key, name)
    return name
  }
}

/**
 * Names of revisions, which also say their order: a revision newer than all before gets the next whole number, `<rv-3>`; one between two others a number
 * between theirs, `<rv-2.5>`.
 */
export class RevisionNames {
  readonly #named: { readonly revision: bigint; readonly order: number }[] = []

  of(text: string): string {
    if (!/^\d+$/.test(text)) return text === '' ? '' : `<not a revision: ${text}>`
    const revision = BigInt(text)
    const at = this.#named.findIndex((other) => other.revision >= revision)
    if (at >= 0 && this.#named[at]?.revision === revision) return `<rv-${this.#named[at].order}>`
    const before = this.#named[(at < 0 ? this.#named.length : at) - 1]?.order ?? 0
    const after = at < 0 ? undefined : this.#named[at]?.order
    const order = after === undefined ? Math.floor(before) + 1 : (before + after) / 2
    this.#named.splice(at < 0 ? this.#named.length : at, 0, { revision, order })
    return `<rv-${order}>`
  }
}
