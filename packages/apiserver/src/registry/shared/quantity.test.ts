import { expect, it } from 'vitest'
import { amountOf, canonicalizeResources, canonicalQuantity } from './quantity.js'

// What a real API server made of these limits.
it.each([
  ['0.5', '500m'],
  ['1000m', '1'],
  ['1500m', '1500m'],
  ['1024', '1024'],
  ['1000', '1k'],
  ['1024Mi', '1Gi'],
  ['1Gi', '1Gi'],
  ['0.5Gi', '512Mi'],
  ['1536Mi', '1536Mi'],
  ['1e3', '1e3'],
  ['100000k', '100M'],
  ['0', '0'],
  ['0.0001', '1m'],
  ['512', '512'],
])('canonicalizeResources makes %s to %s', (text, canonical) => {
  const resources = { cpu: text }
  canonicalizeResources(resources)
  expect(resources).toEqual({ cpu: canonical })
})

it('what is no quantity stays as it is, for validation to refuse', () => {
  const resources = { cpu: 'lots' }
  canonicalizeResources(resources)
  expect(resources).toEqual({ cpu: 'lots' })
  expect(canonicalQuantity('lots')).toBe('lots')
})

it('amountOf reads amounts in billionths and refuses what is none', () => {
  expect(amountOf('1m')).toBe(1_000_000n)
  expect(amountOf('-1Ki')).toBe(-1024n * 10n ** 9n)
  expect(['', 'x', '1.2.3', '1Zi'].map((text) => amountOf(text))).toEqual([undefined, undefined, undefined, undefined])
})
