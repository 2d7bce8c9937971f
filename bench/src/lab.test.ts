import { describe, expect, test } from 'vitest'
import { interleave } from './lab.js'
import type { Side } from './measurement.js'

/** Gives 1, 2, 3, … and remembers who was asked. */
function counter() {
  const asked: Side[] = []
  const measure = async (side: Side) => ({ value: asked.push(side) })
  return { asked, measure }
}

describe('interleave', () => {
  test('measures ours and the reference in turns, warm-ups first and not counted', async () => {
    const { asked, measure } = counter()
    const columns = await interleave({ hasReference: true }, { runs: 2, warmUps: 1 }, measure)
    expect(asked).toEqual(['ours', 'reference', 'ours', 'reference', 'ours', 'reference'])
    expect(columns('value')).toEqual({ ours: [3, 5], reference: [4, 6] })
  })

  test('measures ours alone when the reference is not built, and says so', async () => {
    const { asked, measure } = counter()
    const columns = await interleave({ hasReference: false }, { runs: 2 }, measure)
    expect(asked).toEqual(['ours', 'ours'])
    expect(columns('value')).toEqual({ ours: [1, 2], reference: 'not built' })
  })
})
