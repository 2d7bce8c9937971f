import { describe, expect, test } from 'vitest'
import { withoutDescriptions } from './explanation.js'

const kind = `GROUP:      batch
KIND:       CronJob
VERSION:    v1

DESCRIPTION:
    Runs jobs at times:
    every day.

FIELDS:
  concurrencyPolicy\t<string>
  enum: Allow, Forbid
    What to do then.

    Possible values.

  spec\t<CronJobSpec> -required-
    What it does.

`

const field = `KIND:       Pod
VERSION:    v1

FIELD: restartPolicy <string>
ENUM:
    Always
    Never

DESCRIPTION:
    When it is restarted.

`

describe('withoutDescriptions', () => {
  test('keeps the names, types and values of fields', () => {
    expect(withoutDescriptions(kind)).toBe(
      'GROUP:      batch\nKIND:       CronJob\nVERSION:    v1\n\nDESCRIPTION:\nFIELDS:\n' +
        '  concurrencyPolicy\t<string>\n  enum: Allow, Forbid\n  spec\t<CronJobSpec> -required-\n',
    )
  })

  test('keeps the values of a single field', () => {
    expect(withoutDescriptions(field)).toBe(
      'KIND:       Pod\nVERSION:    v1\n\nFIELD: restartPolicy <string>\nENUM:\n    Always\n    Never\n\nDESCRIPTION:\n',
    )
  })

  test('leaves other texts alone', () => {
    const text = 'Name: one\nDESCRIPTION:\n    stays\n'
    expect(withoutDescriptions(text)).toBe(text)
  })
})
