import { bodyTooLarge, StatusError, stringifyJson, utf8Length } from 'steersman/api'

/**
 * Holds a plain JSON value to a limit that bytes have. Most values are far from it, so the walk only finds a lower bound; it stops at the limit, so
 * that a value whose parts are shared (aliases in YAML) cannot make it walk without end.
 *
 * @throws {StatusError} RequestEntityTooLarge.
 */
export function checkJsonSize(value: unknown, maxBytes: number): void {
  const state = { minimumBytes: 0, maxBytes }
  walk(value, state)
  const mayExceed = state.minimumBytes > maxBytes / 4
  if (mayExceed && utf8Length(stringifyJson(value)) > maxBytes) throw new StatusError(bodyTooLarge(maxBytes))
}

interface WalkState {
  minimumBytes: number
  readonly maxBytes: number
}

function walk(value: unknown, state: WalkState): void {
  if (typeof value === 'string') state.minimumBytes += value.length + 2
  else if (typeof value !== 'object' || value === null) state.minimumBytes += 1
  else if (Array.isArray(value)) {
    state.minimumBytes += value.length + 1
    for (const item of value) walk(item, state)
  } else {
    state.minimumBytes += 2
    for (const key in value) {
      state.minimumBytes += key.length + 3
      walk((value as Record<string, unknown>)[key], state)
    }
  }
  if (state.minimumBytes > state.maxBytes) throw new StatusError(bodyTooLarge(state.maxBytes))
}
