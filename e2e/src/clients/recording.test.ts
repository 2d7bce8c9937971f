import { describe, expect, test } from 'vitest'
import { readRecording, writeRecording } from './recording.js'

const file = `What they answered.

$ kubectl get pods
NAME   READY

one    1/1

$ kubectl set cpu
! error: unknown flag
[1]

1.37$ kubectl set cpu
costs 1.37$ or so
[2]

$ kubectl delete pods
`

describe('readRecording', () => {
  test('reads lines in order, each with what a version prints instead', () => {
    const { heading, lines } = readRecording(file)
    expect(heading).toBe('What they answered.')
    expect(lines.map(({ text, variants }) => [text, Object.fromEntries(variants)])).toEqual([
      ['$ kubectl get pods\nNAME   READY\n\none    1/1', {}],
      ['$ kubectl set cpu\n! error: unknown flag\n[1]', { '1.37': '$ kubectl set cpu\ncosts 1.37$ or so\n[2]' }],
      ['$ kubectl delete pods', {}],
    ])
  })

  test('reads nothing of a section that was never recorded', () => {
    expect(readRecording('').lines).toEqual([])
  })
})

describe('writeRecording', () => {
  test('writes what readRecording reads', () => {
    expect(writeRecording(readRecording(file))).toBe(file)
  })
})
