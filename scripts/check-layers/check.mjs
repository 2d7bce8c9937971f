/**
 * Checks that every source file keeps to the import table in layers.json: which room may import which, which doors of
 * other packages it may enter, no cycle, no barrel, no side effect at import, no direct clock, randomness, timer, process or socket.
 *
 * `check(root, table)` returns the refusals as `file:line: sentence`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'

const declarationStart = /^(?:import|export|const|function|async function|class|abstract class|type|interface|declare)\b/

export function check(root, table) {
  const refusals = []
  let files = 0
  for (const entry of table.packages) {
    const sources = sourceFiles(join(root, entry.folder, 'src')).map((path) => readSource(root, path))
    files += sources.length
    for (const source of sources) {
      const refuse = (line, sentence) => refusals.push(`${source.path}:${line}: ${sentence}`)
      checkImports(source, entry, table, root, refuse)
      if (!source.isTest) {
        checkUses(source, table, refuse)
        checkShape(source, refuse)
      }
    }
    refusals.push(...cycles(sources))
  }
  if (files === 0)
    refusals.push(`${root}: found no source file to check; expected some below ${table.packages.map((entry) => entry.folder).join(', ')}`)
  return refusals
}

function sourceFiles(folder) {
  let entries
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
  return entries
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return sourceFiles(path)
      return /\.(?:ts|tsx|mts)$/.test(entry.name) ? [path] : []
    })
    .sort()
}

function readSource(root, path) {
  const text = readFileSync(path, 'utf8')
  const name = relative(root, path).replaceAll('\\', '/')
  const { code, bare } = mask(text)
  return { path: name, code, bare, isTest: /\.(?:test|testing|conformance|suite|fixture)\.ts$/.test(name), imports: importsOf(code) }
}

/** `code` has comments blanked; `bare` has the contents of strings, templates and regular expressions blanked too. Lines are kept. */
export function mask(text) {
  let code = ''
  let bare = ''
  let at = 0
  let previous = ''
  const templates = []
  const put = (chunk, keepInBare) => {
    code += chunk
    bare += keepInBare ? chunk : chunk.replace(/[^\n]/g, ' ')
  }
  const blank = (chunk) => {
    const spaces = chunk.replace(/[^\n]/g, ' ')
    code += spaces
    bare += spaces
  }
  const quoted = (start) => {
    const quote = text[start]
    let end = start + 1
    while (end < text.length && text[end] !== quote && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1
    return end + 1
  }
  const template = (start) => {
    let end = start
    while (end < text.length && text[end] !== '`' && !(text[end] === '$' && text[end + 1] === '{')) end += text[end] === '\\' ? 2 : 1
    put(text.slice(start, end), false)
    if (text[end] === '`') {
      put('`', true)
      return end + 1
    }
    put('${', true)
    templates.push(0)
    return end + 2
  }
  while (at < text.length) {
    const two = text.slice(at, at + 2)
    const char = text[at]
    if (two === '//') {
      const end = text.indexOf('\n', at) === -1 ? text.length : text.indexOf('\n', at)
      blank(text.slice(at, end))
      at = end
    } else if (two === '/*') {
      const end = text.indexOf('*/', at + 2) === -1 ? text.length : text.indexOf('*/', at + 2) + 2
      blank(text.slice(at, end))
      at = end
    } else if (char === "'" || char === '"') {
      const end = quoted(at)
      put(char, true)
      put(text.slice(at + 1, end - 1), false)
      put(char, true)
      previous = char
      at = end
    } else if (char === '`') {
      put('`', true)
      at = template(at + 1)
      previous = '`'
    } else if (char === '/' && !/[\w)\]'"`}]/.test(previous)) {
      let end = at + 1
      let inClass = false
      while (end < text.length && text[end] !== '\n' && (inClass || text[end] !== '/')) {
        if (text[end] === '[') inClass = true
        if (text[end] === ']') inClass = false
        end += text[end] === '\\' ? 2 : 1
      }
      put('/', true)
      put(text.slice(at + 1, end), false)
      put('/', true)
      previous = '/'
      at = end + 1
    } else {
      if (templates.length > 0) {
        if (char === '{') templates[templates.length - 1] += 1
        if (char === '}') {
          if (templates.at(-1) === 0) {
            templates.pop()
            put('}', true)
            at = template(at + 1)
            previous = '`'
            continue
          }
          templates[templates.length - 1] -= 1
        }
      }
      put(char, true)
      if (/\S/.test(char)) previous = /\b(?:return|typeof|case|in|of|await|yield|throw)$/.test(code.slice(-8)) ? '(' : char
      at += 1
    }
  }
  return { code, bare }
}

function importsOf(code) {
  const found = []
  const patterns = [
    /(?:^|\n)\s*(?:import|export)\s+(?:type\s+)?(?:[\w*{}\s,$]+?)\s+from\s*['"]([^'"]+)['"]/g,
    /(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g,
    /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g,
  ]
  for (const pattern of patterns) {
    for (const match of code.matchAll(pattern)) {
      const lineOffset = match[0].startsWith('\n') ? 1 : 0
      found.push({ specifier: match[1], line: lineAt(code, match.index + lineOffset) + match[0].slice(lineOffset).split('\n').length - 1 })
    }
  }
  return found
}

function lineAt(text, index) {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

function roomOf(path, entry) {
  const inside = path.slice(`${entry.folder}/src/`.length)
  return inside.includes('/') ? inside.slice(0, inside.indexOf('/')) : ''
}

function checkImports(source, entry, table, root, refuse) {
  const room = roomOf(source.path, entry)
  const rules = entry.rooms[room]
  if (rules === undefined) {
    refuse(1, `room "${room}" is not in the import table of ${entry.name}`)
    return
  }
  for (const { specifier, line } of source.imports) {
    if (specifier.startsWith('.')) checkRelative(source, entry, { room, rules, specifier, line }, refuse)
    else checkBare(source, entry, table, root, { room, rules, specifier, line, refuse })
  }
}

function resolveRelative(source, specifier) {
  return posix.normalize(posix.join(dirname(source.path), specifier)).replace(/\.js$/, '.ts')
}

function checkRelative(source, entry, { room, rules, specifier, line }, refuse) {
  if (!specifier.endsWith('.js')) refuse(line, `import '${specifier}': relative imports end in .js`)
  const target = resolveRelative(source, specifier)
  if (!target.startsWith(`${entry.folder}/src/`)) {
    refuse(line, `import '${specifier}' leaves the package: enter another package through its doors`)
    return
  }
  const targetRoom = roomOf(target, entry)
  if (targetRoom === room) return
  if (room !== '' && source.isTest) return
  if (!rules.rooms.includes(targetRoom) && !entry.everyRoomMayImport.includes(targetRoom)) {
    refuse(
      line,
      `room "${room}" may not import room "${targetRoom}"; it may import: ${[...entry.everyRoomMayImport, ...rules.rooms].join(', ') || 'none'}`,
    )
  } else if (!target.endsWith(`/${targetRoom}/index.ts`) && !target.startsWith(`${entry.folder}/src/api/types/`)) {
    refuse(line, `import '${specifier}' goes past the door of room "${targetRoom}": import its index.js`)
  }
}

function checkBare(source, entry, table, root, { room, rules, specifier, line, refuse }) {
  const isEdge = table.edges.some((edge) => matches(source.path, edge.files))
  if (specifier.startsWith('node:')) {
    if (table.refusedModules.includes(specifier) && !isEdge && !source.isTest)
      refuse(line, `${specifier} is used outside the environment and the named edges`)
    return
  }
  const packageName = specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : specifier.split('/')[0]
  const ours = table.packages.some((other) => other.name === packageName)
  if (ours) {
    if (packageName === entry.name) refuse(line, `import '${specifier}': a package does not enter itself through its own door`)
    const doors = [...entry.everyRoomMayEnter, ...(rules.doors ?? [])]
    const allowed = doors.includes(specifier) || (specifier.startsWith('steersman/api/types/') && doors.includes('steersman/api'))
    if (!allowed && !source.isTest)
      refuse(line, `room "${room}" may not enter door "${specifier}"; it may enter: ${doors.join(', ') || 'none'}`)
    return
  }
  for (const rule of table.onlyBehind) {
    if (packageName === rule.module && !matches(source.path, rule.files) && !source.isTest)
      refuse(line, `${rule.module} may be imported only in ${rule.files}`)
  }
  if (!source.isTest && !declaredDependencies(root, entry).has(packageName))
    refuse(line, `${packageName} is not a dependency in ${entry.folder}/package.json`)
}

const manifests = new Map()
function declaredDependencies(root, entry) {
  const path = join(root, entry.folder, 'package.json')
  if (!manifests.has(path)) {
    let manifest = {}
    try {
      manifest = JSON.parse(readFileSync(path, 'utf8'))
    } catch (error) {
      if (error.code !== 'ENOENT') throw error
    }
    manifests.set(path, new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })))
  }
  return manifests.get(path)
}

function matches(path, pattern) {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
}

function checkUses(source, table, refuse) {
  if (table.edges.some((edge) => matches(source.path, edge.files))) return
  for (const { pattern, name } of table.refusedUses) {
    for (const match of source.bare.matchAll(new RegExp(pattern, 'g'))) {
      refuse(lineAt(source.bare, match.index), `${name} is used outside the environment and the named edges: take it from the Environment`)
    }
  }
}

function checkShape(source, refuse) {
  const isExecutable = /\/src\/bin\//.test(source.path)
  const lines = source.bare.split('\n')
  lines.forEach((line, index) => {
    if (/^export \*/.test(line)) refuse(index + 1, 'export * makes a barrel: list the names one by one')
    if (isExecutable || !/^[A-Za-z_$]/.test(line)) return
    if (/^(?:export )?let\b/.test(line))
      refuse(index + 1, 'a top-level let is state that outlives a simulated process: keep state in an instance')
    else if (!declarationStart.test(line)) refuse(index + 1, `side effect at import: "${line.trim().slice(0, 40)}" is not a declaration`)
  })
  if (source.path.endsWith('/index.ts')) return
  const statements = source.bare.split(/\n(?=\S)/).filter((statement) => /^[A-Za-z]/.test(statement))
  if (statements.length > 0 && statements.every((statement) => /^export\s+(?:type\s+)?\{[^}]*\}\s+from\b/.test(statement))) {
    refuse(1, 'the file only re-exports: a barrel is allowed only as the index.ts of a room')
  }
}

function cycles(sources) {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const state = new Map()
  const found = []
  const visit = (path, trail) => {
    if (state.get(path) === 'done') return
    if (state.get(path) === 'open') {
      found.push(`${path}:1: import cycle: ${[...trail.slice(trail.indexOf(path)), path].join(' -> ')}`)
      return
    }
    state.set(path, 'open')
    const source = byPath.get(path)
    for (const { specifier } of source.imports) {
      if (!specifier.startsWith('.')) continue
      const target = resolveRelative(source, specifier)
      if (byPath.has(target)) visit(target, [...trail, path])
    }
    state.set(path, 'done')
  }
  for (const source of sources) visit(source.path, [])
  return found
}
