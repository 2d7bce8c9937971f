/**
 * Freezes plain JSON in depth and returns it.
 *
 * An object that is frozen is taken to be frozen in depth and not entered again: handing out the same object many times costs one
 * check, and so does a frozen part inside a new whole. Never freeze the outside of an object only. Bytes cannot be frozen and are left alone.
 */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value) && !ArrayBuffer.isView(value)) freezeObject(value)
  return value
}

/** Members first: whoever sees a frozen object may rely on what is inside, even if freezing was interrupted. */
function freezeObject(value: object): void {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) deepFreeze(value[index])
  } else {
    for (const key in value) deepFreeze((value as Record<string, unknown>)[key])
  }
  Object.freeze(value)
}
