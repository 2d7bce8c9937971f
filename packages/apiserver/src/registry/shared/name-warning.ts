import { validateDns1123Label } from 'steersman/api'

/** Says of a name that is right, but can hardly be a part of the names of pods. */
export function warnOfNameInPods(name: string | undefined, warn: (text: string) => void): void {
  const details = validateDns1123Label(name ?? '')
  if (details.length === 0) return
  warn(
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${details.join(' ')}]`,
  )
}
