import type { Draft, FieldError, FieldPath } from 'steersman/api'
import { fieldError, validateDns1123Subdomain } from 'steersman/api'
import type {
  DeviceClaim,
  DeviceConstraint,
  DeviceRequest,
  DeviceSubRequest,
  ExactDeviceRequest,
  ResourceClaimSpec,
} from 'steersman/api/types/resource/v1'
import { validateChoice } from '../shared/choice.js'
import { labelErrors } from '../shared/name-errors.js'
import { canonicalizeAmounts } from '../shared/quantity.js'
import { isSameValue } from '../shared/same-value.js'
import { checkConfiguration } from './device-configuration.js'
import { checkSelectors } from './device-selector.js'
import { checkTolerations, defaultTolerations } from './device-taint.js'
import { Findings } from './findings.js'
import { repeatedItems } from './go-value.js'
import { declaredAttributeErrors } from './names.js'

const maxItems = 32
const maxAlternatives = 8

/** Fills in how many devices are asked for, and drops what is part of features that are off. */
export function defaultClaimSpec(spec: Draft<ResourceClaimSpec>): void {
  spec.devices ??= {}
  for (const { exactly, firstAvailable = [] } of spec.devices.requests ?? []) {
    for (const request of exactly === undefined ? firstAvailable : [exactly, ...firstAvailable]) {
      request.allocationMode ||= 'ExactCount'
      if (request.allocationMode === 'ExactCount') request.count ||= 1
      defaultTolerations(request.tolerations)
      canonicalizeAmounts(request.capacity?.requests)
      delete request.derivedAttributes
    }
  }
}

/** Whether two claims ask for the same. A claim that asks for nothing is stored with `null`. */
export function isSameClaimSpec(a: ResourceClaimSpec | undefined, b: ResourceClaimSpec | undefined): boolean {
  return isSameValue(a?.devices, b?.devices)
}

/** Checks which devices are asked for. */
export function checkClaimSpec({ devices = {} }: ResourceClaimSpec, path: FieldPath, findings: Findings): void {
  const at = path.child('devices')
  const names = new RequestNames(devices)
  checkList(devices.requests ?? [], at.child('requests'), findings, (request, where) => checkRequest(request, where, findings), requestKey)
  checkList(devices.constraints ?? [], at.child('constraints'), findings, (constraint, where) =>
    checkConstraint(constraint, where, names, findings),
  )
  checkList(devices.config ?? [], at.child('config'), findings, (config, where) => {
    checkNames(config.requests ?? [], where.child('requests'), names, findings)
    checkConfiguration(config, where, findings)
  })
}

const requestKey = ({ name = '' }: { readonly name?: string }) => name

/** Checks the length of a list and its items. `keyOf`: items must differ in it. */
export function checkList<Item>(
  items: readonly Item[],
  path: FieldPath,
  findings: Findings,
  check: (item: Item, path: FieldPath) => void,
  keyOf?: (item: Item) => string,
  max = maxItems,
): void {
  if (items.length > max) {
    findings.declare(fieldError.tooMany(path, items.length, max))
    return
  }
  if (keyOf !== undefined) findings.declare(...repeatedItems(items, keyOf, path))
  for (const [index, item] of items.entries()) check(item, path.index(index))
}

/** The requests of a claim by name: `request`, `request/alternative`. */
export class RequestNames {
  readonly #names = new Set<string>()

  constructor({ requests = [] }: DeviceClaim) {
    for (const { name = '', firstAvailable = [] } of requests ?? []) {
      this.#names.add(name)
      for (const alternative of firstAvailable) this.#names.add(`${name}/${alternative.name ?? ''}`)
    }
  }

  /** What is wrong with a name that should be that of a request. */
  errors(name: string, path: FieldPath): FieldError[] {
    const unknown = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"
    const parts = name.split('/')
    if (parts.length > 2) return [fieldError.invalid(path, name, unknown)]
    const errors = parts.flatMap((part) => labelErrors(part, path))
    return this.#names.has(name) ? errors : [...errors, fieldError.invalid(path, name, unknown)]
  }
}

/** Checks names of requests. */
export function checkNames(names: readonly string[], path: FieldPath, known: RequestNames, findings: Findings): void {
  checkList(
    names,
    path,
    findings,
    (name, where) => findings.check(...known.errors(name, where)),
    (name) => name,
  )
}

function checkRequest({ name = '', exactly, firstAvailable = [] }: Partial<DeviceRequest>, path: FieldPath, findings: Findings): void {
  findings.check(...labelErrors(name, path.child('name')))
  const rule = 'exactly one of `exactly` or `firstAvailable` is required'
  const isBoth = exactly !== undefined && firstAvailable.length > 0
  if (exactly === undefined && firstAvailable.length === 0) findings.check(fieldError.required(path, rule))
  else if (isBoth) {
    findings.check(fieldError.invalid(path, null, `${rule}, but multiple fields are set`))
    // What is declared is looked at all the same.
    const both = new Findings()
    checkExactRequest(exactly, path.child('exactly'), both)
    for (const [index, request] of firstAvailable.entries()) checkSubRequest(request, path.child('firstAvailable').index(index), both)
    findings.declare(...both.declared)
  } else if (exactly !== undefined) checkExactRequest(exactly, path.child('exactly'), findings)
  else {
    const check = (request: DeviceSubRequest, where: FieldPath) => checkSubRequest(request, where, findings)
    checkList(firstAvailable, path.child('firstAvailable'), findings, check, requestKey, maxAlternatives)
  }
}

function checkExactRequest(request: ExactDeviceRequest, path: FieldPath, findings: Findings): void {
  findings.check(...classErrors(request.deviceClassName, path.child('deviceClassName')))
  checkAsked(request, path, findings)
}

function checkSubRequest(request: DeviceSubRequest, path: FieldPath, findings: Findings): void {
  findings.check(...labelErrors(request.name ?? '', path.child('name')))
  findings.declare(...classErrors(request.deviceClassName, path.child('deviceClassName')))
  checkAsked(request, path, findings)
}

function classErrors(name: string | undefined, path: FieldPath): FieldError[] {
  if (!name) return [fieldError.required(path)]
  return validateDns1123Subdomain(name).map((detail) => fieldError.invalid(path, name, detail))
}

function checkAsked(request: ExactDeviceRequest | DeviceSubRequest, path: FieldPath, findings: Findings): void {
  const { allocationMode, count = 0 } = request
  checkSelectors(request.selectors, path.child('selectors'), findings)
  if (allocationMode === 'All' && count !== 0) {
    findings.check(fieldError.invalid(path.child('count'), count, "must not be specified when allocationMode is 'All'"))
  }
  if (allocationMode === 'ExactCount' && count <= 0) {
    findings.check(fieldError.invalid(path.child('count'), count, 'must be greater than zero'))
  }
  findings.declare(...validateChoice(allocationMode, ['All', 'ExactCount'], path.child('allocationMode')))
  checkTolerations(request.tolerations, path.child('tolerations'), findings)
}

function checkConstraint(constraint: DeviceConstraint, path: FieldPath, names: RequestNames, findings: Findings): void {
  const { requests = [], matchAttribute, distinctAttribute } = constraint
  checkNames(requests, path.child('requests'), names, findings)
  if (matchAttribute === undefined && distinctAttribute === undefined) {
    // The words are those of the other mistake.
    const detail = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'
    findings.check(fieldError.required(path, detail))
  }
  findings.declare(...declaredAttributeErrors(matchAttribute, path.child('matchAttribute')))
  findings.declare(...declaredAttributeErrors(distinctAttribute, path.child('distinctAttribute')))
}
