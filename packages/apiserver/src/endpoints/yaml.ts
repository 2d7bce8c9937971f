import type { ScalarLayout } from 'js-yaml'

/**
 * YAML as Go writes it: members sorted, lists not indented, lines folded at 80 columns. Strings that YAML 1.1 would take for something else are quoted.
 * The library is loaded with the first use.
 */
export async function yamlText(value: unknown): Promise<string> {
  const { DEFAULT_SCALAR_STYLE_RULES, dump, SCALAR_STYLE, YAML11_SCHEMA } = await import('js-yaml')
  /** What would be plain but for its type is quoted twice, as Go does. */
  const quoteTypes = (layout: ScalarLayout) => {
    const isPlain = /^[\w.:+-]+$/.test(layout.node.value) || layout.node.value === ''
    if (layout.style === SCALAR_STYLE.SINGLE_QUOTED && isPlain) layout.style = SCALAR_STYLE.DOUBLE_QUOTED
  }
  return dump(value, {
    schema: YAML11_SCHEMA,
    sortKeys: true,
    seqNoIndent: true,
    noRefs: true,
    scalarStyleRules: [...Object.values(DEFAULT_SCALAR_STYLE_RULES), quoteTypes],
  })
}
