/** The body of `/version`. Clients parse `major`, `minor` and `gitVersion`. */
export interface VersionInfo {
  readonly major: string
  readonly minor: string
  readonly gitVersion: string
  readonly gitCommit: string
  readonly gitTreeState: string
  readonly buildDate: string
  readonly goVersion: string
  readonly compiler: string
  readonly platform: string
}

/** The release of Kubernetes that this server speaks like. `gitVersion` says which server it really is. */
export const version: VersionInfo = Object.freeze({
  major: '1',
  minor: '37',
  gitVersion: 'v1.37.2+steersman',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'go1.27.3',
  compiler: 'none',
  platform: 'linux/amd64',
})
