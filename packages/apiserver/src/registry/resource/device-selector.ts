import type { FieldPath } from 'steersman/api'
import { fieldError, utf8Length } from 'steersman/api'
import type { DeviceSelector } from 'steersman/api/types/resource/v1'
import type { Findings } from './findings.js'

const maxSelectors = 32
const maxExpressionBytes = 10 * 1024

/** Checks which devices are meant. Expressions are not compiled. */
export function checkSelectors(selectors: readonly DeviceSelector[] | undefined, path: FieldPath, findings: Findings): void {
  const list = selectors ?? []
  if (list.length > maxSelectors) {
    findings.declare(fieldError.tooMany(path, list.length, maxSelectors))
    return
  }
  list.forEach(({ cel }, index) => {
    const at = path.index(index).child('cel')
    if (cel === undefined) findings.check(fieldError.required(at))
    else if (utf8Length(cel.expression ?? '') > maxExpressionBytes) {
      findings.check(fieldError.tooLong(at.child('expression'), maxExpressionBytes))
    }
  })
}
