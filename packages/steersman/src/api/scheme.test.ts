import { describe, expect, test } from 'vitest'
import { defineResource, NotRegisteredError, Scheme } from './index.js'

const Widget = defineResource({ group: 'example.com', version: 'v1', kind: 'Widget', scope: 'Namespaced' })
const WidgetBeta = defineResource({ group: 'example.com', version: 'v1beta1', kind: 'Widget', scope: 'Namespaced' })

describe('Scheme', () => {
  test('Scheme finds types by apiVersion and kind', () => {
    const scheme = new Scheme(Widget).add(WidgetBeta).add(Widget)
    expect(scheme.types()).toEqual([Widget, WidgetBeta])
    expect(scheme.typeFor('example.com/v1', 'Widget')).toBe(Widget)
    expect(scheme.typeFor('example.com/v2', 'Widget')).toBeUndefined()
    expect(scheme.recognises({ group: 'example.com', version: 'v1beta1', kind: 'Widget' })).toBe(true)
    expect(scheme.recognises({ group: '', version: 'v1', kind: 'Widget' })).toBe(false)
    expect(scheme.versionsOf('example.com', 'Widget')).toEqual([Widget, WidgetBeta])
  })

  test('Scheme refuses a second type of the same name', () => {
    const other = defineResource({ group: 'example.com', version: 'v1', kind: 'Widget', scope: 'Cluster' })
    expect(() => new Scheme(Widget, other)).toThrow(TypeError)
  })

  test('Scheme decodes an object by what it says of itself', () => {
    const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } }
    expect(new Scheme(Widget).decode(object)).toEqual({ type: Widget, object })
    expect(new Scheme(Widget).typeOf(object)).toBe(Widget)
  })

  test.each([
    [undefined, "Object 'apiVersion' is missing"],
    [{ apiVersion: 'v1' }, "Object 'kind' is missing"],
    [{ apiVersion: 1, kind: 'Widget' }, "Object 'apiVersion' is missing"],
    [{ apiVersion: 'v1', kind: 'Pod' }, 'it has no metadata'],
    [{ apiVersion: 'v1', kind: 'Pod', metadata: {} }, 'no kind "Pod" is registered for version "v1" in the scheme'],
  ])('Scheme refuses to decode %j: %s', (object, problem) => {
    expect(() => new Scheme(Widget).decode(object)).toThrow(problem)
  })

  test('Scheme says that a kind is not registered with an error of its own', () => {
    expect(() => new Scheme().typeOf({ apiVersion: 'v1', kind: 'Pod', metadata: {} })).toThrow(NotRegisteredError)
  })
})
