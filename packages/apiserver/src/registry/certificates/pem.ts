/** A block of a PEM text (RFC 7468). */
export interface PemBlock {
  /** What stands after BEGIN: `CERTIFICATE`. */
  readonly type: string
  /** Whether lines such as `Proc-Type: 4,ENCRYPTED` come before the content. */
  readonly hasHeaders: boolean
  readonly bytes: Buffer
}

const blockPattern = /-----BEGIN ([^\n]*?)-----[ \t]*\r?\n([\s\S]*?)-----END \1-----/g
const headerPattern = /^[^\n:]+:.*$/m

/** The blocks of a text, whatever stands between them. */
export function decodePem(text: string): readonly PemBlock[] {
  return Array.from(text.matchAll(blockPattern), ([, type = '', content = '']) => {
    const hasHeaders = headerPattern.test(content)
    const base64 = hasHeaders ? content.replace(/^[\s\S]*?\n\s*\n/, '') : content
    return { type, hasHeaders, bytes: Buffer.from(base64, 'base64') }
  })
}
