import type { AnyResourceType } from 'steersman/api'
import type { ServedResource } from '../../contracts/index.js'
import type { BuiltinSchemas } from '../builtin.js'
import { metaPackage } from '../definition.js'
import type { OpenApiKind } from './operation.js'

/** Definitions that operations refer to. */
export const deleteOptionsDefinition: string = `${metaPackage}.DeleteOptions`
export const statusDefinition: string = `${metaPackage}.Status`
export const patchDefinition: string = `${metaPackage}.Patch`
export const watchEventDefinition: string = `${metaPackage}.WatchEvent`
export const objectMetaDefinition: string = `${metaPackage}.ObjectMeta`
export const listMetaDefinition: string = `${metaPackage}.ListMeta`
export const groupListDefinition: string = `${metaPackage}.APIGroupList`
export const groupDefinition: string = `${metaPackage}.APIGroup`
export const resourceListDefinition: string = `${metaPackage}.APIResourceList`
export const versionsDefinition: string = `${metaPackage}.APIVersions`
export const versionInfoDefinition = 'io.k8s.apimachinery.pkg.version.Info'

/** The definition of a resource's objects: `io.k8s.api.apps.v1.Deployment`, `com.example.v1.Widget`. */
export function definitionOf({ builtIn, type }: Pick<ServedResource, 'builtIn' | 'type'>, schemas: BuiltinSchemas): string {
  return builtIn ? builtinDefinition(type, schemas) : customDefinition(type)
}

/** The definition of a built-in kind. */
export function builtinDefinition(kind: OpenApiKind, schemas: BuiltinSchemas): string {
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`
  const group = kind.group.replace(/\.k8s\.io$/, '') || 'core'
  return schemas.definitionName(apiVersion, kind.kind) ?? `io.k8s.api.${group}.${kind.version}.${kind.kind}`
}

function customDefinition(type: Pick<AnyResourceType, 'group' | 'version' | 'kind'>): string {
  return [...type.group.split('.').reverse(), type.version, type.kind].join('.')
}

/** The definition of lists of a resource's objects. */
export function listDefinitionOf(definition: string, listKind: string): string {
  return `${definition.slice(0, definition.lastIndexOf('.'))}.${listKind}`
}
