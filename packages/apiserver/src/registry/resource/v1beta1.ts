import type { UnstructuredObject } from 'steersman/api'
import type { Device, DeviceRequest, ExactDeviceRequest, ResourceClaimSpec, ResourceSliceSpec } from 'steersman/api/types/resource/v1'
import type {
  BasicDevice,
  Device as BetaDevice,
  DeviceRequest as BetaDeviceRequest,
  ResourceClaimSpec as BetaResourceClaimSpec,
  ResourceSliceSpec as BetaResourceSliceSpec,
} from 'steersman/api/types/resource/v1beta1'
import type { ShapeConversion } from '../other-version.js'

/** In v1beta1 what is asked for exactly stands in the request itself. */
export const betaClaim: ShapeConversion = {
  toServed: (claim) => withField(claim, 'spec', toBetaClaimSpec),
  toStored: (claim) => withField(claim, 'spec', fromBetaClaimSpec),
}

/** A template holds the spec of a claim one level deeper. */
export const betaClaimTemplate: ShapeConversion = {
  toServed: (template) => withField(template, 'spec', (spec) => withField(spec as UnstructuredObject, 'spec', toBetaClaimSpec)),
  toStored: (template) => withField(template, 'spec', (spec) => withField(spec as UnstructuredObject, 'spec', fromBetaClaimSpec)),
}

/** In v1beta1 all of a device but its name stands in `basic`, and a node that is not said is an empty name. */
export const betaSlice: ShapeConversion = {
  toServed: (slice) => withField(slice, 'spec', toBetaSliceSpec),
  toStored: (slice) => withField(slice, 'spec', fromBetaSliceSpec),
}

function withField<Before, After>(object: UnstructuredObject, field: string, convert: (value: Before) => After): UnstructuredObject {
  const value = object[field]
  return value === undefined || value === null ? object : { ...object, [field]: convert(value as Before) }
}

type RequestsOf<Spec> = Spec extends { readonly devices?: infer Claim } ? Claim : never

function toBetaClaimSpec(spec: ResourceClaimSpec): BetaResourceClaimSpec {
  return withRequests<ResourceClaimSpec, BetaResourceClaimSpec, DeviceRequest, BetaDeviceRequest>(spec, ({ exactly, name, ...rest }) => ({
    name,
    // Written out even when it is empty.
    deviceClassName: '',
    ...exactly,
    ...rest,
  }))
}

const exactFields = ['deviceClassName', 'selectors', 'allocationMode', 'count', 'adminAccess', 'tolerations', 'capacity'] as const

function fromBetaClaimSpec(spec: BetaResourceClaimSpec): ResourceClaimSpec {
  return withRequests<BetaResourceClaimSpec, ResourceClaimSpec, BetaDeviceRequest, DeviceRequest>(spec, (request) => {
    const entries = exactFields.flatMap((field) => (request[field] === undefined ? [] : [[field, request[field]] as const]))
    const isAsked = entries.some(([, value]) => value !== '' && value !== 0)
    const exactly = Object.fromEntries(entries) as unknown as ExactDeviceRequest
    const { name, firstAvailable } = request
    return { name, ...(isAsked ? { exactly } : {}), ...(firstAvailable === undefined ? {} : { firstAvailable }) }
  })
}

function withRequests<From extends { readonly devices?: unknown }, To, Request, Converted>(
  spec: From,
  convert: (request: Request) => Converted,
): To {
  const devices = spec.devices as (RequestsOf<From> & { readonly requests?: readonly Request[] | null }) | undefined
  if (!devices?.requests) return spec as unknown as To
  return { ...spec, devices: { ...devices, requests: devices.requests.map(convert) } } as unknown as To
}

function toBetaSliceSpec({ devices, ...spec }: ResourceSliceSpec): BetaResourceSliceSpec {
  const toBeta = ({ name, ...basic }: Device): BetaDevice => ({ name, basic: basic as BasicDevice })
  return { ...spec, ...(devices === undefined ? {} : { devices: devices.map(toBeta) }) } as BetaResourceSliceSpec
}

function fromBetaSliceSpec({ devices, nodeName, allNodes, ...spec }: BetaResourceSliceSpec): ResourceSliceSpec {
  const fromBeta = ({ name, basic }: BetaDevice): Device => ({ name, ...(basic as Omit<Device, 'name'> | undefined) })
  return {
    ...spec,
    ...(nodeName ? { nodeName } : {}),
    ...(allNodes ? { allNodes } : {}),
    ...(devices === undefined ? {} : { devices: devices.map(fromBeta) }),
  } as ResourceSliceSpec
}
