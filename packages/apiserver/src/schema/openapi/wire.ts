/** Encodes the fields of protobuf messages, each with its tag. */
const lengthDelimited = 2
const fixed64 = 1

/** A field that holds a whole number, 0 or more, below 2^53; `true` is 1. */
export function varintField(fieldNumber: number, value: number): Buffer {
  return Buffer.from([...varint(fieldNumber * 8), ...varint(value)])
}

/** A field that holds a floating-point number. */
export function doubleField(fieldNumber: number, value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return Buffer.concat([Buffer.from(varint(fieldNumber * 8 + fixed64)), bytes])
}

/** A field that holds a text. */
export function textField(fieldNumber: number, text: string): Buffer {
  return messageField(fieldNumber, [Buffer.from(text)])
}

/** A field that holds a message of these fields. */
export function messageField(fieldNumber: number, fields: readonly Uint8Array[]): Buffer {
  let length = 0
  for (const field of fields) length += field.length
  return Buffer.concat([Buffer.from([...varint(fieldNumber * 8 + lengthDelimited), ...varint(length)]), ...fields])
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80)
  return [...bytes, rest]
}
