import { Type } from 'typebox'

/** Text that is not empty. As in JSON Schema, the length counts code points: an emoji of two UTF-16 units is one. */
export function text(maxLength?: number) {
  return Type.String({ minLength: 1, ...(maxLength !== undefined && { maxLength }) })
}

/** Any object: the upstream validates its members. */
export const AnyObject = Type.Object({})
