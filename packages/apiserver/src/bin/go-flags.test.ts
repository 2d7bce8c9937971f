import { describe, expect, it } from 'vitest'
import { GoFlags } from './go-flags.js'

describe('GoFlags', () => {
  it('reads every form that the pflag package reads', () => {
    const flags = new GoFlags(['--secure-port=6443', '--cert-dir', '/tmp/x', '-v', '--watch-cache', '--token-auth-file=a=b'])
    expect(flags.get('secure-port')).toBe('6443')
    expect(flags.get('cert-dir')).toBe('/tmp/x')
    expect(flags.get('v')).toBe('true')
    expect(flags.get('watch-cache')).toBe('true')
    expect(flags.get('token-auth-file')).toBe('a=b')
    expect(flags.get('other')).toBeUndefined()
  })

  it('joins lists of repeated flags and takes the last of single ones', () => {
    const flags = new GoFlags(['--feature-gates=A=true,B=false', '--feature-gates=C=true', '--v=1', '--v=2'])
    expect(flags.list('feature-gates')).toEqual(['A=true', 'B=false', 'C=true'])
    expect(flags.get('v')).toBe('2')
    expect(flags.names).toEqual(['feature-gates', 'v'])
  })
})
