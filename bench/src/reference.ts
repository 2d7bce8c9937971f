import { conformanceFolder, RealControlPlaneError, realBinary } from '@steersman/conformance/control-plane-binaries'

/** Whether etcd and kube-apiserver are in the cache folder. */
export async function isReferenceBuilt(): Promise<boolean> {
  try {
    await realBinary('etcd')
    await realBinary('kube-apiserver')
    return true
  } catch (error) {
    if (error instanceof RealControlPlaneError && error.code === 'NOT_BUILT') return false
    throw error
  }
}

/** Builds the helpers in Go if need be. `undefined`, and a line that says why, when that cannot be done: without Go, for instance. */
export async function findHelpers(): Promise<string | undefined> {
  const script = new URL('build-control-plane/helpers.mjs', conformanceFolder)
  const { buildHelpers } = (await import(script.href)) as { readonly buildHelpers: () => Promise<string> }
  try {
    return await buildHelpers()
  } catch (error) {
    console.error(`No load client: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}
