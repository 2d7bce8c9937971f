import { expect, test } from 'vitest'
import { compileJsonPath, JsonPathError } from './json-path.js'

const object = {
  a: {
    b: [
      { k: 'x', v: 1 },
      { k: 'y', v: 2 },
      { k: 'z', v: 2.5 },
    ],
    'c.d': 3,
  },
  list: [1, 2, 3, 4],
}

// Expected values: what `kubectl get -o jsonpath` finds.
test.each([
  ['.a.b[0].k', ['x']],
  ['.a.b[-1].k', ['z']],
  ['.a.b[*].k', ['x', 'y', 'z']],
  ['.list[1:3]', [2, 3]],
  ['.list[0:4:2]', [1, 3]],
  ['.list[:]', [1, 2, 3, 4]],
  ['.list[0,2]', [1, 3]],
  ['.a.c\\.d', [3]],
  ["['a'].b[0].v", [1]],
  ['.a.b[?(@.k=="y")].v', [2]],
  ["$.a.b[?(@.k != 'y')].k", ['x', 'z']],
  ['.a.b[?(@.v)].k', ['x', 'y', 'z']],
  ['..k', ['x', 'y', 'z']],
  ['.missing.deep', []],
  ['.a.b[?(@.none=="y")].v', []],
])('compileJsonPath follows %s', (path, found) => {
  expect(compileJsonPath(path)(object)).toEqual(found)
})

test.each(['.list[9]', '.a[0]', '.a.b[?(@.v > 1)].k', '.a[?(@.x)]'])('compileJsonPath says that %s does not fit', (path) => {
  expect(compileJsonPath(path)(object)).toBeUndefined()
})

test.each(['.a[', '.a[x]', '.a[?(@.x', '.a}', '.a[?(@.x)'])('compileJsonPath refuses %s', (path) => {
  expect(() => compileJsonPath(path)).toThrow(JsonPathError)
})
