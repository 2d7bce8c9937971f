const stageWords: Readonly<Record<string, boolean>> = { true: true, false: false }
const switchWords: Readonly<Record<string, boolean>> = {
  ...stageWords,
  ...Object.fromEntries(['', '1', 't', 'T', 'TRUE', 'True'].map((word) => [word, true])),
  ...Object.fromEntries(['0', 'f', 'F', 'FALSE', 'False'].map((word) => [word, false])),
}

/**
 * Reads `--runtime-config` as kube-apiserver does: a key alone is on, and the keys of stages (`api/all`) take no other words than true and false.
 *
 * @throws {RangeError} for a value that is neither on nor off.
 */
export function parseRuntimeConfig(text: string): Readonly<Record<string, boolean>> {
  const pairs = text.split(',').filter((pair) => pair !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...rest] = pair.split('=')
      const key = name.trim()
      const value = rest.join('=')
      const isOn = (key.startsWith('api/') ? stageWords : switchWords)[value]
      if (isOn === undefined) throw new RangeError(`--runtime-config: invalid value ${key}=${value}`)
      return [key, isOn]
    }),
  )
}
