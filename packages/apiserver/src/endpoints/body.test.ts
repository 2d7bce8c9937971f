import { describe, expect, test } from 'vitest'
import { maxBodyBytes, parseBody } from './body.js'

const parse = (text: string, contentType = 'application/json', findDuplicates = true) =>
  parseBody(
    { method: 'POST', path: '/', headers: { 'content-type': contentType }, body: { kind: 'bytes', bytes: new TextEncoder().encode(text) } },
    findDuplicates,
  )

describe('parseBody', () => {
  test('finds members that are there twice, also where strings look like members', async () => {
    expect((await parse('{"a":{"b":1,"c":2,"b":3}}')).problems).toEqual(['duplicate field "a.b"'])
    expect((await parse('{"a":"{\\"b\\": 1}","c" : 2}')).problems).toEqual([])
    expect((await parse('{"a":1,"a":2}', 'application/json', false)).problems).toEqual([])
  })

  test('refuses more than 3 MiB, as bytes and as a value', async () => {
    await expect(parse(`"${'x'.repeat(maxBodyBytes)}"`)).rejects.toMatchObject({ status: { code: 413 } })
    const value = { data: Array.from({ length: 4 }, () => 'x'.repeat(1024 * 1024)) }
    const request = { method: 'POST', path: '/', headers: {}, body: { kind: 'value' as const, value } }
    await expect(parseBody(request, true)).rejects.toMatchObject({
      status: { code: 413, message: 'Request entity too large: limit is 3145728' },
    })
  })

  test('a YAML text that expands without end is too large', async () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
    for (let level = 1; level < 10; level++)
      lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`)
    await expect(parse(lines.join('\n'), 'application/yaml')).rejects.toMatchObject({ status: { code: 413 } })
  })

  test('YAML is read as kube-apiserver reads it: no dates, the last of two members counts', async () => {
    const { value, problems } = await parse('when: 2026-01-01\nx: 1\nx: 2\n', 'application/yaml')
    expect(value).toEqual({ when: '2026-01-01', x: 2 })
    expect(problems).toEqual(['line 3: key "x" already set in map'])
  })

  test('what is no text in the media type is a syntax error with the beginning of the body', async () => {
    await expect(parse('{bad')).rejects.toMatchObject({
      message: "couldn't get version/kind; json parse error: invalid character 'b' looking for beginning of object key string",
      snippet: '{bad',
    })
    await expect(parse('')).rejects.toMatchObject({ snippet: '<empty>' })
    await expect(parse('a: b: c', 'application/yaml')).rejects.toMatchObject({ snippet: '613a20623a2063' })
    await expect(parse('a: .inf', 'application/yaml')).rejects.toThrow(/^yaml: /)
  })
})
