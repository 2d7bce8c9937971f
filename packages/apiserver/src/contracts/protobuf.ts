/** Reads and writes objects of built-in kinds as protobuf, in the envelope that tells their kind. */
export interface ObjectProtobuf {
  /**
   * Opens an envelope.
   *
   * @throws {DecodeError} with the real server's text.
   */
  openEnvelope(bytes: Uint8Array): ProtobufEnvelope
  /**
   * Reads the message of an object of a built-in kind, or of options, as the JSON object that Go makes of it.
   *
   * @throws {DecodeError} with the real server's text.
   */
  read(kind: ProtobufKind, message: Uint8Array): Readonly<Record<string, unknown>>
  /** Writes an object, a list of objects or a Status in its envelope; `undefined` when its kind is not built in. */
  write(object: Readonly<Record<string, unknown>>): Uint8Array | undefined
  /** Writes an event of a watch as a frame. The bytes of an event that watchers share are made once. */
  writeWatchEvent(event: ProtobufWatchEvent): Uint8Array
}

/** What an object is. */
export interface ProtobufKind {
  readonly apiVersion: string
  readonly kind: string
}

/** What travels over HTTP; apiVersion and kind may be empty. */
export interface ProtobufEnvelope extends ProtobufKind {
  readonly raw: Uint8Array
}

/** An event of a watch, whose object has apiVersion and kind. */
export interface ProtobufWatchEvent {
  readonly type: string
  readonly object: Readonly<Record<string, unknown>>
}
