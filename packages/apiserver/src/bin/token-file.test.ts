import { expect, it } from 'vitest'
import { parseTokenFile } from './token-file.js'

it('reads the lines that kube-apiserver reads', () => {
  const users = parseTokenFile('admin-token,admin,admin,"system:masters"\nother,jane,42,"a,b"\nplain,joe,\n\nbroken\n')
  expect([...users]).toEqual([
    ['admin-token', { name: 'admin', uid: 'admin', groups: ['system:masters'] }],
    ['other', { name: 'jane', uid: '42', groups: ['a', 'b'] }],
    ['plain', { name: 'joe', groups: [] }],
  ])
})
