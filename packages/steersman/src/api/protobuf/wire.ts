/** How a value follows its tag on the wire. */
export const wireType = { varint: 0, fixed64: 1, bytes: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const

/** How many messages may be inside one another. */
export const maxMessageDepth = 100
