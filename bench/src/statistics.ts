export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Half the distance between the quartiles, as a share of the median: how much runs differ. */
export function spread(values: readonly number[]): number {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / median(values)
}

/** The value below which the share `q` lies, between neighbours in proportion. Of nothing: not a number. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  const position = q * (sorted.length - 1)
  const below = Math.floor(position)
  const [low = Number.NaN, high = low] = [sorted[below], sorted[below + 1]]
  return low + (high - low) * (position - below)
}
