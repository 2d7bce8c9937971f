import { canonicalQuantity as canonicalText, formatQuantity, parseQuantity, QuantityError } from 'steersman/api'

/** The message of a quantity that cannot be read. */
export const quantityFormatMessage = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

const nanoOfMilli = 1_000_000n

/** The amount of a quantity such as `500m` or `1Gi` in units of a billionth; `undefined` when it cannot be read. */
export function amountOf(text: string | number): bigint | undefined {
  return readable(() => parseQuantity(text).nano)
}

/** A quantity as the server writes it. What cannot be read is returned as it is, for validation to refuse. */
export function canonicalQuantity(text: string | number): string {
  return readable(() => canonicalText(text)) ?? String(text)
}

/** An amount in units of a billionth as the server writes it, in the notation of another quantity. */
export function canonicalAmount(nano: bigint, like: string): string {
  return formatQuantity({ nano, format: parseQuantity(like).format })
}

/** Brings the amounts of a list of resources to their canonical form, rounded up to a thousandth. */
export function canonicalizeResources(resources: Record<string, string> | undefined): void {
  if (resources === undefined) return
  for (const [name, text] of Object.entries(resources)) resources[name] = readable(() => inThousandths(text)) ?? String(text)
}

/** Brings amounts to their canonical form. */
export function canonicalizeAmounts(amounts: Record<string, string> | undefined): void {
  if (amounts === undefined) return
  for (const [name, text] of Object.entries(amounts)) amounts[name] = canonicalQuantity(text)
}

function inThousandths(text: string): string {
  const { nano, format } = parseQuantity(text)
  if (nano % nanoOfMilli === 0n) return canonicalText(text)
  // Division of a bigint rounds towards zero, which is up for a negative amount.
  const milli = nano / nanoOfMilli + (nano > 0n ? 1n : 0n)
  return formatQuantity({ nano: milli * nanoOfMilli, format })
}

function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof QuantityError) return undefined
    throw error
  }
}
