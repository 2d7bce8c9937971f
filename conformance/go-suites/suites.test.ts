import { describe, expect, test } from 'vitest'
import { realVersion } from '../src/control-plane-binaries.js'
import { controllerRuntimeVersion } from './build-suites.js'
import { readRecorded } from './recorded.js'
import { selectSuites, suites } from './suites.js'

describe('selectSuites', () => {
  test('takes what is short when nothing is named', () => {
    expect(selectSuites([], false).map(({ name }) => name)).not.toContain('cache')
    expect(selectSuites([], true)).toEqual(suites)
  })

  test('takes what is named, in the order of the list', () => {
    expect(selectSuites(['cache', 'client'], false).map(({ name }) => name)).toEqual(['client', 'cache'])
  })

  test('refuses a name that it does not know', () => {
    expect(() => selectSuites(['client/apiutil'], false)).toThrow(/^Cannot run the suite "client\/apiutil": expected reconcile, /)
  })
})

describe('readRecorded', () => {
  test('has every suite, recorded with the versions that are built', async () => {
    const recorded = readRecorded({ controllerRuntime: controllerRuntimeVersion, kubernetes: await realVersion() })
    expect(Object.keys(recorded.suites)).toEqual(suites.map(({ name }) => name))
    expect(Object.values(recorded.suites).filter(({ specs, failed }) => specs === 0 || failed > 0)).toEqual([])
  })

  test('knows nothing of other versions', () => {
    expect(readRecorded({ controllerRuntime: '0.0.1', kubernetes: '1.37.2' }).suites).toEqual({})
  })
})
