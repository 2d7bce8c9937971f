import { describe, expect, test } from 'vitest'
import { helpText, parseOptions, UsageError } from './options.js'

const benches = ['start', 'create']
const parse = (args: readonly string[], env = {}) => parseOptions(args, env, benches)

describe('parseOptions', () => {
  test('asks for everything by default', () => {
    expect(parse([])).toEqual({ only: undefined, isQuick: false, isFull: false, json: undefined, wantsHelp: false })
  })

  test('reads every option', () => {
    expect(parse(['--only=create,start', '--quick', '--json=a.json', '--help'])).toEqual({
      only: ['create', 'start'],
      isQuick: true,
      isFull: false,
      json: 'a.json',
      wantsHelp: true,
    })
  })

  test('takes the file from the environment unless an option names it', () => {
    expect([parse([], { BENCH_JSON: 'b.json' }).json, parse(['--json=a.json'], { BENCH_JSON: 'b.json' }).json]).toEqual([
      'b.json',
      'a.json',
    ])
  })

  test.each([
    [['--onyl=start'], "Unknown option '--onyl'"],
    [['start'], "Unexpected argument 'start'"],
    [['--only=start,creat'], '--only: there is no bench "creat"; expected start, create'],
    [['--quick', '--full'], '--quick and --full: expected one of them'],
  ])('refuses %j', (args, message) => {
    expect(() => parse(args)).toThrow(UsageError)
    expect(() => parse(args)).toThrow(message)
  })
})

test('helpText names every bench', () => {
  const text = helpText([{ name: 'start', about: 'how long a start takes' }])
  expect(text).toContain('  start  how long a start takes\n')
  for (const option of ['--only', '--quick', '--full', '--json', '--help']) expect(text).toContain(option)
})
