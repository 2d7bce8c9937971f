import type { AnyResourceType, ListMeta, UnstructuredObject } from 'steersman/api'
import type { PrinterColumn } from '../../schema/index.js'
import { configMapPrinter } from './config-map.js'
import { customResourcePrinter } from './custom-resource.js'
import { customResourceDefinitionPrinter } from './custom-resource-definition.js'
import { deploymentPrinter } from './deployment.js'
import { eventPrinter } from './event.js'
import { leasePrinter } from './lease.js'
import { namespacePrinter } from './namespace.js'
import { nodePrinter } from './node.js'
import { podPrinter } from './pod.js'
import { column, nameColumn, type TableColumn, type TablePrinter, type TableRowCondition } from './printer.js'
import { replicaSetPrinter } from './replica-set.js'
import { secretPrinter } from './secret.js'
import { servicePrinter } from './service.js'
import { serviceAccountPrinter } from './service-account.js'

/** Printers of built-in kinds, by group and kind. */
const printers: Readonly<Record<string, TablePrinter>> = {
  '/ConfigMap': configMapPrinter,
  '/Event': eventPrinter,
  '/Namespace': namespacePrinter,
  '/Node': nodePrinter,
  '/Pod': podPrinter,
  '/Secret': secretPrinter,
  '/Service': servicePrinter,
  '/ServiceAccount': serviceAccountPrinter,
  'apiextensions.k8s.io/CustomResourceDefinition': customResourceDefinitionPrinter,
  'apps/Deployment': deploymentPrinter,
  'apps/ReplicaSet': replicaSetPrinter,
  'coordination.k8s.io/Lease': leasePrinter,
  'events.k8s.io/Event': eventPrinter,
}

/** Kinds without a printer of their own show when they were created. */
const defaultPrinter: TablePrinter = {
  columns: [nameColumn, column('Created At', 'date', 'When the object was created.')],
  cells: (object) => [object.metadata.name, object.metadata.creationTimestamp ?? '<unknown>'],
}

/**
 * The printer of a resource. `printerColumns`: those of the version of a custom resource, possibly none; leave it out for a built-in kind.
 */
export function tablePrinter(type: Pick<AnyResourceType, 'group' | 'kind'>, printerColumns?: readonly PrinterColumn[]): TablePrinter {
  if (printerColumns !== undefined) return customResourcePrinter(printerColumns)
  const key = `${type.group}/${type.kind}`
  return (Object.hasOwn(printers, key) ? printers[key] : undefined) ?? defaultPrinter
}

/** A row of a Table. */
export interface TableRow {
  readonly cells: readonly unknown[]
  readonly conditions?: readonly TableRowCondition[]
  readonly object?: unknown
}

/** What `as=Table` answers (`meta.k8s.io/v1` Table). */
export interface Table {
  readonly kind: 'Table'
  readonly apiVersion: 'meta.k8s.io/v1'
  readonly metadata: ListMeta
  readonly columnDefinitions: readonly TableColumn[] | null
  readonly rows: readonly TableRow[]
}

/** How a Table is made. */
export interface TableOptions {
  /** What ages are measured to, in milliseconds since the epoch. */
  readonly nowMs: number
  /** Metadata of the list, or `{ resourceVersion }` of a single object. */
  readonly metadata: ListMeta
  /** What each row carries of its object. @default Metadata */
  readonly includeObject?: 'None' | 'Metadata' | 'Object'
  /** Only the first event of a watch has the columns. @default true */
  readonly withColumns?: boolean
}

/** Makes the Table of some objects of one kind. */
export function tableOf(printer: TablePrinter, objects: readonly UnstructuredObject[], options: TableOptions): Table {
  const { nowMs, metadata, includeObject = 'Metadata', withColumns = true } = options
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: withColumns ? printer.columns : null,
    rows: objects.map((object) => {
      const conditions = printer.conditions?.(object)
      return {
        cells: printer.cells(object, nowMs),
        ...(conditions === undefined ? {} : { conditions }),
        object: includeObject === 'None' ? null : includeObject === 'Object' ? object : partialMetadata(object),
      }
    }),
  }
}

function partialMetadata(object: UnstructuredObject): unknown {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata }
}
