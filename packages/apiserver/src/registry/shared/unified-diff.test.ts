import { describe, expect, test } from 'vitest'
import { unifiedDiff } from './unified-diff.js'

const letters = (more: object = {}) => Object.fromEntries([...'abcdefghijklmnop'].map((letter) => [letter, 1]).concat(Object.entries(more)))

// What Python's difflib.unified_diff prints for these.
describe('unifiedDiff', () => {
  test('shows three lines around a change', () => {
    expect(unifiedDiff(letters(), letters({ h: 2 }))).toBe(
      '@@ -6,7 +6,7 @@\n  "e": 1,\n  "f": 1,\n  "g": 1,\n- "h": 1,\n+ "h": 2,\n  "i": 1,\n  "j": 1,\n  "k": 1,\n',
    )
  })

  test('keeps changes together that are six lines apart', () => {
    expect(unifiedDiff(letters(), letters({ c: 2, j: 2 })).match(/@@ .*/g)).toEqual(['@@ -1,14 +1,14 @@'])
    expect(unifiedDiff(letters(), letters({ c: 2, k: 2 })).match(/@@ .*/g)).toEqual(['@@ -1,7 +1,7 @@', '@@ -9,7 +9,7 @@'])
  })

  test('shows what is new and what is gone', () => {
    expect(unifiedDiff({ a: [1, 2] }, { a: [1] })).toBe('@@ -1,6 +1,5 @@\n {\n  "a": [\n-  1,\n-  2\n+  1\n  ]\n }\n')
    expect(unifiedDiff({ a: [] }, { a: [] })).toBe('')
  })
})
