import type { AnyResourceType, UnstructuredObject } from 'steersman/api'
import type { UserInfo } from './request.js'

/** What admission decides on. */
export interface AdmissionAttributes {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'
  readonly type: AnyResourceType
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly object?: UnstructuredObject
  readonly oldObject?: UnstructuredObject
  readonly options: Readonly<Record<string, unknown>>
  readonly dryRun: boolean
  readonly user: UserInfo
}

/** A step of admission. A refusal is a thrown StatusError. */
export interface AdmissionPlugin {
  readonly name: string
  /** Returns the object to go on with; the given one is frozen. */
  admit?(attributes: AdmissionAttributes): Promise<UnstructuredObject | undefined>
  validate?(attributes: AdmissionAttributes): Promise<void>
}
