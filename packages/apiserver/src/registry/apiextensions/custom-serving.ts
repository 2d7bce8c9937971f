import type { AnyResourceType } from 'steersman/api'
import { methodNotAllowed, StatusError } from 'steersman/api'
import type { CustomResourceDefinition } from 'steersman/api/types/apiextensions/v1'
import type { Environment } from 'steersman/environment'
import type { ServedResource } from '../../contracts/index.js'
import type { CompiledSchema, CustomResource } from '../../schema/index.js'
import { compileSchema } from '../../schema/index.js'
import type { Storage } from '../../storage/index.js'
import { allVerbs, scaleSubresource, statusSubresource } from '../builtin.js'
import type { Conversion } from '../conversion.js'
import { remembered, rewriteApiVersion } from '../conversion.js'
import { validateMetadata } from '../metadata.js'
import { customResourcePrinter } from '../printers/custom-resource.js'
import { readObject } from '../serving/builtin-objects.js'
import type { Serving } from '../serving/served-stores.js'
import { storageVersionHash } from '../storage-version-hash.js'
import type { Decode } from '../store.js'
import type { StoreContext } from '../store-context.js'
import { resourcePrefix } from '../store-context.js'
import { customResourceKind, scaleFields } from './custom-resource.js'
import type { Definitions } from './definitions.js'

/** What the stores of custom resources have in common. */
export interface CustomServingParts {
  readonly storage: Storage
  readonly environment: Environment
  readonly definitions: Pick<Definitions, 'isTerminating' | 'instanceRemoved'>
}

/** A version of a custom resource as it goes into service. */
export function customServing(definition: CustomResourceDefinition, resource: CustomResource, parts: CustomServingParts): Serving {
  const { type } = resource
  const { name } = definition.metadata
  const { storage, environment, definitions } = parts
  const end = new AbortController()
  const schema = compileSchema(resource.schema, { validateEmbeddedMetadata })
  const decode = decoderOf(schema)
  const storageVersion = storageVersionOf(definition) ?? type.version
  const context: StoreContext = {
    type,
    strategy: customResourceKind(resource, schema).strategy,
    storage,
    environment,
    prefix: resourcePrefix(type.group, type.plural),
    decode,
    toServed: readConversion(
      definition,
      `${type.group}/${type.version}`,
      (object) => schema.applyDefaults(schema.prune(object)) as typeof object,
    ),
    toStored: rewriteApiVersion(`${type.group}/${storageVersion}`),
    refuseCreate: () => {
      if (definitions.isTerminating(name)) throw new StatusError(terminating(type))
    },
    afterWrite: (write) => (write.type === 'delete' ? definitions.instanceRemoved(name) : undefined),
    unserved: end.signal,
  }
  const scale = scaleFields(resource)
  const subresources = [...(resource.hasStatus ? [statusSubresource(type)] : []), ...(scale === undefined ? [] : [scaleSubresource(scale)])]
  const served: ServedResource = {
    type,
    verbs: allVerbs,
    subresources: subresources.map((subresource) => subresource.served),
    builtIn: false,
    storageVersionHash: storageVersionHash(type.group, storageVersion, type.kind),
    schema: resource.schema as unknown as Readonly<Record<string, unknown>>,
    ...(resource.selectableFields.length === 0 ? {} : { selectableFields: resource.selectableFields }),
    ...(resource.deprecationWarning === undefined ? {} : { deprecationWarning: resource.deprecationWarning }),
  }
  const table = customResourcePrinter(resource.printerColumns)
  return { served, context, end, decode, subresources, table, definition: name, facts: servingFacts(definition, resource) }
}

/** What of a definition the store of a version depends on. */
export function servingFacts(definition: CustomResourceDefinition, resource: CustomResource): unknown {
  const { versions } = definition.spec
  return { resource, storage: storageVersionOf(definition), versions: versions.length, first: isFirst(definition) }
}

function storageVersionOf({ spec }: CustomResourceDefinition): string | undefined {
  return spec.versions.find(({ storage }) => storage)?.name
}

function isFirst({ metadata, spec }: CustomResourceDefinition): boolean {
  return (metadata.generation ?? 1) <= 1 && spec.versions.length === 1
}

function decoderOf(schema: CompiledSchema): Decode {
  return (value) => {
    const unknownFields: string[] = []
    const object = readObject(() => schema.prune(value, { unknownFields })) as ReturnType<Decode>['object']
    return { object, problems: unknownFields.map((field) => `unknown field "${field}"`) }
  }
}

/** Objects that were written before the definition became what it is may lack defaults, have fields too many, or be of another version. */
function readConversion(definition: CustomResourceDefinition, apiVersion: string, complete: Conversion): Conversion {
  const rewrite = rewriteApiVersion(apiVersion)
  return isFirst(definition) ? rewrite : remembered((object) => complete(rewrite(object)))
}

function terminating(type: AnyResourceType): ReturnType<typeof methodNotAllowed> {
  return { ...methodNotAllowed(type, 'create'), message: 'create not allowed while custom resource definition is terminating' }
}

function validateEmbeddedMetadata(metadata: Readonly<Record<string, unknown>>, path: string): ReturnType<typeof validateMetadata> {
  const errors = validateMetadata({ name: 'embedded', ...metadata }, false, () => [])
  return errors.map((error) => ({ ...error, field: `${path}${error.field.slice('metadata'.length)}` }))
}
