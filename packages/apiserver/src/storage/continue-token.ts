import { parseJson } from 'steersman/api'

/** Where the next page of a list begins, and which list it belongs to. */
export interface ContinueToken {
  /** Revision that all pages of the list show; -1: whatever is current when the page is read. */
  readonly revision: number
  /** Key, relative to the prefix of the list, at which the page begins, inclusive. */
  readonly start: string
}

const apiVersion = 'meta.k8s.io/v1'

/** The token as clients see it: base64url without padding of `{v, rv, start}`, as kube-apiserver writes it. */
export function encodeContinueToken(token: ContinueToken): string {
  const json = JSON.stringify({ v: apiVersion, rv: token.revision, start: token.start })
  return Buffer.from(json).toString('base64url')
}

/** @throws {RangeError} when it is not a token; the message says why, for a client. */
export function decodeContinueToken(text: string): ContinueToken {
  let token: unknown
  try {
    if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new SyntaxError(`illegal base64 data at input byte ${text.search(/[^A-Za-z0-9_-]/)}`)
    const bytes = Buffer.from(text, 'base64url')
    const [first = 0] = bytes
    if (first >= 0x80) throw new SyntaxError(`invalid character '\\x${first.toString(16)}' looking for beginning of value`)
    token = parseJson(bytes)
  } catch (cause) {
    throw new RangeError(`continue key is not valid: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
  const { v, rv, start } = (typeof token === 'object' && token !== null ? token : {}) as { v?: unknown; rv?: unknown; start?: unknown }
  if (v !== apiVersion) throw new RangeError(`continue key is not valid: server does not recognize this encoded version ${String(v ?? '')}`)
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv === 0) {
    throw new RangeError('continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)')
  }
  if (typeof start !== 'string' || start === '') {
    throw new RangeError('continue key is not valid: encoded start key empty (version meta.k8s.io/v1)')
  }
  // The start key may not climb out of the prefix that it is appended to.
  if (start.split('/').some((part, index) => part === '.' || part === '..' || (part === '' && index > 0))) {
    throw new RangeError(`continue key is not valid: ${start}`)
  }
  return { revision: rv, start: start.startsWith('/') ? start.slice(1) : start }
}
