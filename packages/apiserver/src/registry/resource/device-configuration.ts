import type { FieldPath } from 'steersman/api'
import { fieldError, utf8Length } from 'steersman/api'
import type { DeviceClassConfiguration } from 'steersman/api/types/resource/v1'
import type { Findings } from './findings.js'
import { declaredDriverErrors } from './names.js'

const maxParametersBytes = 10 * 1024

/** Checks what a driver is told about devices. */
export function checkConfiguration({ opaque }: DeviceClassConfiguration, path: FieldPath, findings: Findings): void {
  const at = path.child('opaque')
  if (opaque === undefined) findings.check(fieldError.required(at))
  else {
    findings.declare(...declaredDriverErrors(opaque.driver, at.child('driver')))
    checkRawObject(opaque.parameters, at.child('parameters'), findings)
  }
}

/** Checks a value that may be any object. */
export function checkRawObject(value: unknown, path: FieldPath, findings: Findings): void {
  if (value === undefined || value === null) findings.check(fieldError.required(path))
  else if (utf8Length(JSON.stringify(value)) > maxParametersBytes) findings.check(fieldError.tooLong(path, maxParametersBytes))
  else if (typeof value !== 'object' || Array.isArray(value)) {
    findings.check(fieldError.invalid(path, '<value omitted>', 'must be a valid JSON object'))
  }
}
