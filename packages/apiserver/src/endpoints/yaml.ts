import type { ScalarLayout } from 'js-yaml'
import type { Environment, TransportRequest } from 'steersman/environment'

/** The library, which is loaded with its first use. */
export function yamlLibrary(): Promise<typeof import('js-yaml')> {
  return import('js-yaml')
}

/** Loads the library where a request needs it: a virtual clock waits for that. */
export async function prepareYaml(environment: Environment, { headers }: TransportRequest): Promise<void> {
  const isWanted = headers.accept?.includes('yaml') || headers['content-type']?.includes('yaml')
  if (isWanted) await environment.hold(yamlLibrary())
}

/**
 * YAML as Go writes it: members sorted, lists not indented, lines folded at 80 columns. Strings that YAML 1.1 would take for something else are quoted.
 */
export async function yamlText(value: unknown): Promise<string> {
  const { DEFAULT_SCALAR_STYLE_RULES, dump, SCALAR_STYLE, YAML11_SCHEMA } = await yamlLibrary()
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
