import { chmod, rename, rm, writeFile } from 'node:fs/promises'
import type { CertificatePair } from 'steersman/internal'
import { KubeconfigWriteError } from './kubeconfig-error.js'

/** What a kubeconfig says. */
export interface KubeconfigOptions {
  /** `https://host:port`. */
  readonly url: string
  /** PEM. */
  readonly authority: string
  readonly client: CertificatePair
}

/** The text of a kubeconfig for the administrator of one server. It holds a private key. */
export function kubeconfigText({ url, authority, client }: KubeconfigOptions): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: steersman
  cluster:
    server: ${url}
    certificate-authority-data: ${base64(authority)}
users:
- name: admin
  user:
    client-certificate-data: ${base64(client.certificate)}
    client-key-data: ${base64(client.privateKey)}
contexts:
- name: steersman
  context:
    cluster: steersman
    user: admin
    namespace: default
current-context: steersman
`
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/**
 * Writes a kubeconfig that only its owner can read. Whoever reads the file sees the old text or the new one, never a part.
 *
 * @throws {KubeconfigWriteError}
 */
export async function writeKubeconfig(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    await writeFile(temporary, text, { mode: 0o600 })
    await chmod(temporary, 0o600)
    await rename(temporary, path)
  } catch (cause) {
    await rm(temporary, { force: true })
    const reason = cause instanceof Error ? cause.message.replace(/^(\w+): /, '').replace(/, .*$/, '') : String(cause)
    throw new KubeconfigWriteError(
      `Cannot write the kubeconfig ${path}: ${reason}; choose a file in a folder that exists and is writable`,
      { cause },
    )
  }
}
