import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ControlPlaneOptions } from '../server/index.js'
import type { GoFlags } from './go-flags.js'

/** A file that a flag names cannot be used. */
export class FlagFileError extends Error {
  constructor(flag: string, path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message.replace(/^\w+: |, \w+(?: '.*')?$/g, '') : String(cause)
    super(`Cannot use ${path}, named by --${flag}: ${reason}`, { cause })
    this.name = 'FlagFileError'
  }
}

/** The text of the file that a flag names; `undefined`: it names none. @throws {FlagFileError} */
export async function readNamedFile(flags: GoFlags, flag: string): Promise<string | undefined> {
  const path = flags.get(flag)
  return path === undefined ? undefined : readFlagFile(flag, path)
}

/** @throws {FlagFileError} */
export async function readFlagFile(flag: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new FlagFileError(flag, path, error)
  }
}

/** What HTTPS is served with. @throws {FlagFileError} for files that cannot be read, hold something else, or do not belong together. */
export async function readServingFiles(flags: GoFlags): Promise<NonNullable<ControlPlaneOptions['certificates']>> {
  const folder = flags.get('cert-dir') ?? '/var/run/kubernetes'
  const place = (flag: string, name: string) => {
    const path = flags.get(flag)
    return path === undefined ? { flag: 'cert-dir', path: join(folder, name) } : { flag, path }
  }
  const certificateFile = place('tls-cert-file', 'apiserver.crt')
  const keyFile = place('tls-private-key-file', 'apiserver.key')
  const [certificate, privateKey, clientAuthority = ''] = await Promise.all([
    readFlagFile(certificateFile.flag, certificateFile.path),
    readFlagFile(keyFile.flag, keyFile.path),
    readNamedFile(flags, 'client-ca-file'),
  ])
  const parsed = use(certificateFile, () => new X509Certificate(certificate))
  const key: KeyObject = use(keyFile, () => createPrivateKey(privateKey))
  if (!parsed.checkPrivateKey(key)) throw new FlagFileError(keyFile.flag, keyFile.path, 'the key is not that of the certificate')
  const authorityPath = flags.get('client-ca-file')
  if (authorityPath !== undefined) use({ flag: 'client-ca-file', path: authorityPath }, () => new X509Certificate(clientAuthority))
  return { certificate, privateKey, clientAuthority }
}

function use<Value>({ flag, path }: { readonly flag: string; readonly path: string }, parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    throw new FlagFileError(flag, path, error)
  }
}
