/** Absolute paths of what the executables run. */
export interface Programs {
  readonly node: string
  readonly etcd: string
  readonly apiserver: string
}

/** The texts of the executables by name. */
export function scripts({ node, etcd, apiserver }: Programs): Readonly<Record<string, string>> {
  return {
    // envtest passes --unsafe-no-fsync only where help names it.
    etcd: becomes(node, etcd, '  --unsafe-no-fsync   nothing is written to disk anyway'),
    'kube-apiserver': becomes(
      node,
      apiserver,
      '  --secure-port int   serves an embedded Kubernetes API; takes the flags of kube-apiserver',
    ),
    kubectl: kubectlScript,
  }
}

function becomes(node: string, program: string, help: string): string {
  return `#!/bin/sh
case " $* " in
*" --help "*) printf '%s\\n' ${quote(help)}; exit 0 ;;
esac
exec ${quote(node)} ${quote(program)} "$@"
`
}

/** The first other kubectl in PATH: the folder of this one may stand there too. */
const kubectlScript = `#!/bin/sh
own=$(cd "$(dirname "$0")" && pwd)
IFS=:
for folder in $PATH; do
  if [ -x "$folder/kubectl" ] && [ "$(cd "$folder" && pwd)" != "$own" ]; then exec "$folder/kubectl" "$@"; fi
done
echo "kubectl: not found in PATH; install it to let tests call it: https://kubernetes.io/docs/tasks/tools/" >&2
exit 127
`

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
