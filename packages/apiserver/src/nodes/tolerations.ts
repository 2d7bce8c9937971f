import type { Taint, Toleration } from 'steersman/api/types/core/v1'

/** Whether one of the tolerations tolerates the taint. */
export function isTolerated(taint: Taint, tolerations: readonly Toleration[] | undefined): boolean {
  return tolerations?.some((toleration) => tolerates(toleration, taint)) === true
}

function tolerates({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect !== undefined && effect !== '' && effect !== taint.effect) return false
  if (key !== undefined && key !== '' && key !== taint.key) return false
  switch (operator ?? '') {
    case '':
    case 'Equal':
      return (value ?? '') === (taint.value ?? '')
    case 'Exists':
      return true
    case 'Lt':
    case 'Gt':
      return compares(operator === 'Gt', value, taint.value)
    default:
      return false
  }
}

/** `Gt` tolerates taints whose number is greater than the toleration's. */
function compares(isGreater: boolean, value: string | undefined, taintValue: string | undefined): boolean {
  const pattern = /^-?(0|[1-9]\d*)$/
  if (!pattern.test(value ?? '') || !pattern.test(taintValue ?? '')) return false
  const [own, of] = [BigInt(value ?? ''), BigInt(taintValue ?? '')]
  return isGreater ? of > own : of < own
}
