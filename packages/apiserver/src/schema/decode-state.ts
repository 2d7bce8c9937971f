/** A value that cannot be decoded. The message is the real server's. */
export class DecodeError extends Error {
  readonly code = 'CANNOT_DECODE'

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DecodeError'
  }
}

const maxUnknownFields = 100

/** Where a decode stands, and what it found so far. */
export class DecodeState {
  readonly #unknownFields = new Set<string>()
  readonly #path: string[] = []
  readonly #fieldStack: string[] = []
  #struct = ''
  #firstMismatch: DecodeError | undefined

  /** Paths of unknown fields, in the order of the document. */
  get unknownFields(): readonly string[] {
    return [...this.#unknownFields]
  }

  /** Makes a struct the innermost one; returns the one before. */
  enterStruct(struct: string): string {
    const outer = this.#struct
    this.#struct = struct
    return outer
  }

  restoreStruct(struct: string): void {
    this.#struct = struct
  }

  enterField(name: string, stackName: string): void {
    this.#path.push(this.#path.length === 0 ? name : `.${name}`)
    this.#fieldStack.push(stackName)
  }

  leaveField(): void {
    this.#path.pop()
    this.#fieldStack.pop()
  }

  enterItem(index: number): void {
    this.#path.push(`[${index}]`)
  }

  enterKey(key: string): void {
    this.#path.push(`.${key}`)
  }

  leaveItem(): void {
    this.#path.pop()
  }

  unknownField(name: string): void {
    if (this.#unknownFields.size >= maxUnknownFields) return
    this.#unknownFields.add(this.#path.length === 0 ? name : `${this.#path.join('')}.${name}`)
  }

  /**
   * Notes a value of the wrong type; decoding goes on, and the first one is reported unless something worse comes. Returns the value.
   * `kind`: what sort of type `goType` is, where it is a name for a scalar.
   */
  mismatch(value: unknown, goType: string, shown = describe(value), _kind?: string): unknown {
    this.#firstMismatch ??= new DecodeError(this.mismatchText(shown, goType))
    return value
  }

  /** Whether fields of a struct are read in its order, and not in that of the document. */
  get isInStructOrder(): boolean {
    return false
  }

  /** Notes a number that an integer of so many bits cannot hold. Returns what is read instead. */
  outOfRange(value: number | bigint, goType: string, _bits: number): unknown {
    return this.mismatch(value, goType, `number ${value}`)
  }

  /** The text of a mismatch at the current place. */
  mismatchText(shown: string, goType: string): string {
    const place = this.#struct === '' ? 'Go value' : `Go struct field ${this.#struct}.${this.#fieldStack.join('.')}`
    return `json: cannot unmarshal ${shown} into ${place} of type ${goType}`
  }

  /** Notes an error that is not about types. */
  fail(message: string): void {
    this.#firstMismatch ??= new DecodeError(message)
  }

  /** Ends decoding at once, as the real server does when a type with a parser of its own refuses its text. */
  abort(message: string): never {
    throw new DecodeError(message)
  }

  throwIfFailed(): void {
    if (this.#firstMismatch !== undefined) throw this.#firstMismatch
  }
}

/** How Go names the kind of a JSON value. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'bool'
    case 'number':
    case 'bigint':
      return 'number'
    default:
      return Array.isArray(value) ? 'array' : 'object'
  }
}
