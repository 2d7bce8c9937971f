/**
 * What built-in definitions and their fields are for: by `<folder>/<version>/<name>` (`apps/v1/DeploymentSpec`) and field, the definition itself under the empty name.
 *
 * Empty here: the build puts the sentences of the development dependency `kubernetes-models` into its place (`scripts/descriptions.mjs`).
 */
export const descriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {}
