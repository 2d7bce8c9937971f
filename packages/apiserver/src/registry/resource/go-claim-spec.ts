import type {
  DeviceSelector,
  DeviceSubRequest,
  DeviceToleration,
  ExactDeviceRequest,
  ResourceClaimSpec,
} from 'steersman/api/types/resource/v1'

/** What a claim asks for, as Go prints it. */
export function goClaimSpec({ devices = {} }: ResourceClaimSpec): unknown {
  const { requests, constraints, config } = devices
  return {
    Devices: {
      Requests: orNull(requests ?? undefined, ({ name, exactly, firstAvailable }) => ({
        Name: name,
        Exactly: exactly === undefined ? null : goRequest(exactly),
        FirstAvailable: orNull(firstAvailable, goSubRequest),
      })),
      Constraints: orNull(constraints, ({ requests: names, matchAttribute, distinctAttribute }) => ({
        Requests: names ?? null,
        MatchAttribute: matchAttribute ?? null,
        DistinctAttribute: distinctAttribute ?? null,
      })),
      Config: orNull(config, ({ requests: names, opaque }) => ({
        Requests: names ?? null,
        Opaque: opaque === undefined ? null : { Driver: opaque.driver, Parameters: opaque.parameters },
      })),
    },
  }
}

function orNull<Item>(list: readonly Item[] | undefined, show: (item: Item) => unknown): unknown {
  return list?.map(show) ?? null
}

function goRequest(request: ExactDeviceRequest): unknown {
  return {
    DeviceClassName: request.deviceClassName,
    ...goAsked(request),
    AdminAccess: request.adminAccess ?? null,
    ...goRest(request),
  }
}

function goSubRequest(request: DeviceSubRequest): unknown {
  return { Name: request.name, DeviceClassName: request.deviceClassName, ...goAsked(request), ...goRest(request) }
}

function goAsked({ selectors, allocationMode, count }: ExactDeviceRequest | DeviceSubRequest) {
  const goSelector = ({ cel }: DeviceSelector) => ({ CEL: cel === undefined ? null : { Expression: cel.expression } })
  return { Selectors: orNull(selectors, goSelector), AllocationMode: allocationMode ?? '', Count: count ?? 0 }
}

function goRest({ tolerations, capacity }: ExactDeviceRequest | DeviceSubRequest) {
  const goToleration = ({ key, operator, value, effect, tolerationSeconds }: DeviceToleration) => ({
    Key: key ?? '',
    Operator: operator ?? '',
    Value: value ?? '',
    Effect: effect ?? '',
    TolerationSeconds: tolerationSeconds ?? null,
  })
  return {
    Tolerations: orNull(tolerations, goToleration),
    Capacity: capacity === undefined ? null : { Requests: capacity.requests ?? null },
    DerivedAttributes: null,
  }
}
