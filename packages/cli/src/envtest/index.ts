/**
 * Room `envtest`: a folder that takes the place of the binaries that Go's envtest starts.
 *
 * It holds three executables, `etcd`, `kube-apiserver` and `kubectl`. They are small shell scripts: envtest asks the first two for their help before it starts
 * them, which a shell answers in a millisecond, and then they become the Node.js programs of `@steersman/apiserver`. Deliberately not here: those programs.
 */
export { EnvtestFolderError, writeEnvtestFolder } from './folder.js'
