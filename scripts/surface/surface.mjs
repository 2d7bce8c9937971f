/**
 * The public surface of a door: the declarations behind the names that its index lists, without comments.
 *
 * Read from the compiled `.d.ts` files, so it shows what a user of the published package sees.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Returns the report of one door. `path` is the door's `.d.ts` file. */
export function surfaceOf(path) {
  const declarations = exportedNames(path).map(({ name, file, original }) => declarationOf(file, original, name))
  return `${declarations
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => entry.text)
    .join('\n')}\n`
}

function exportedNames(path) {
  const text = withoutComments(readFileSync(path, 'utf8'))
  const names = []
  for (const match of text.matchAll(/export\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'([^']+)'/g)) {
    const file = join(dirname(path), match[2].replace(/\.js$/, '.d.ts'))
    for (const item of match[1].split(',')) {
      const [original, alias] = item
        .trim()
        .replace(/^type\s+/, '')
        .split(/\s+as\s+/)
      if (original) names.push({ name: alias ?? original, original, file })
    }
  }
  for (const match of text.matchAll(/^export (?:declare )?(?:abstract )?(?:class|function|const|type|interface) (\w+)/gm)) {
    names.push({ name: match[1], original: match[1], file: path })
  }
  return names.filter((entry, index) => names.findIndex((other) => other.name === entry.name) === index)
}

function declarationOf(file, original, name) {
  if (!existsSync(file)) return { name, text: `${name}: from another package` }
  const text = withoutComments(readFileSync(file, 'utf8'))
  const blocks = text.split(/\n(?=(?:export|declare|import) )/)
  const own = blocks.filter((block) =>
    new RegExp(`^\\s*export (?:declare )?(?:abstract )?(?:class|function|const|type|interface) ${escapeForPattern(original)}\\b`).test(
      block,
    ),
  )
  if (own.length === 0) {
    const further = exportedNames(file).find((entry) => entry.name === original && entry.file !== file)
    if (further) return declarationOf(further.file, further.original, name)
    throw new Error(`Cannot report the surface: ${file} does not declare ${original}`)
  }
  const prefix = original === name ? '' : `${name} = `
  return { name, text: prefix + own.map((block) => block.replace(/^export (?:declare )?/, '').trim()).join('\n') }
}

function withoutComments(text) {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\n\s*\n+/g, '\n')
    .replace(/^\s+\n/, '')
}

function escapeForPattern(name) {
  return name.replaceAll('$', '\\$')
}
