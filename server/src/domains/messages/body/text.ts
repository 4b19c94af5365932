import { Type } from 'typebox'

/** Text that is not empty. A length counts code points, as JSON schema has it: an emoji of two UTF-16 units is one. */
export function text(maxLength?: number) {
  return Type.String({ minLength: 1, ...(maxLength !== undefined && { maxLength }) })
}

/** Any object: the upstream alone knows what it may hold. */
export const AnyObject = Type.Object({})
