import { type TUnsafe, Type } from 'typebox'
import type { Issue } from '../../../kernel/errors.ts'
import { isObject, type JsonObject } from '../../../kernel/json/values.ts'

/**
 * A shape says one thing twice: as JSON schema, for the description of the API,
 * and as a function that names the place where a value differs. A validator
 * cannot do the second where the member `type` picks the form of an object: it
 * reports the mistakes of every form, or only that none fits.
 *
 * The words of an issue are those of the validator of bodies, so that a caller
 * cannot tell which of the two has spoken.
 */
export type Shape<T> = {
  schema: TUnsafe<T>
  refuse: (value: unknown, path: string) => Issue[]
}

/** A length is counted in code points, as JSON schema has it: an emoji of two UTF-16 units is one character. */
export function text({ min = 1, max }: { min?: number; max?: number } = {}): Shape<string> {
  return {
    schema: Type.Unsafe(Type.String({ ...(min > 0 && { minLength: min }), ...(max && { maxLength: max }) })),
    refuse(value, path) {
      if (typeof value !== 'string') return issueAt(path, 'must be string')
      const length = [...value].length
      if (length < min) return issueAt(path, `must NOT have fewer than ${min} characters`)
      return max !== undefined && length > max ? issueAt(path, `must NOT have more than ${max} characters`) : []
    },
  }
}

export function matching(pattern: string): Shape<string> {
  const expression = new RegExp(pattern, 'u')
  return {
    schema: Type.Unsafe(Type.String({ pattern })),
    refuse(value, path) {
      if (typeof value !== 'string') return issueAt(path, 'must be string')
      return expression.test(value) ? [] : issueAt(path, `must match pattern "${pattern}"`)
    },
  }
}

export function choice(...values: [string, ...string[]]): Shape<string> {
  const [only] = values
  return {
    // Without a `type` beside it, since a value of another type would then be wrong twice.
    schema: Type.Unsafe(values.length === 1 ? { const: only } : Type.Enum(values)),
    refuse(value, path) {
      if (values.some((allowed) => allowed === value)) return []
      return issueAt(path, values.length === 1 ? `must be ${only}` : `must be one of ${values.join(', ')}`)
    },
  }
}

export function integer({ min, max }: { min?: number; max?: number } = {}): Shape<number> {
  const bounds = { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) }
  return {
    schema: Type.Unsafe(Type.Integer(bounds)),
    refuse(value, path) {
      if (!Number.isInteger(value)) return issueAt(path, 'must be integer')
      const number = value as number
      if (min !== undefined && number < min) return issueAt(path, `must be >= ${min}`)
      return max !== undefined && number > max ? issueAt(path, `must be <= ${max}`) : []
    },
  }
}

export const anyObject = object(0)
export const filledObject = object(1)

/** For a member that other objects of the kind have and this one must not. */
export const absent: Shape<never> = {
  schema: Type.Unsafe(Type.Never()),
  refuse: (_value, path) => issueAt(path, 'is not allowed here'),
}

function object(min: number): Shape<JsonObject> {
  return {
    schema: Type.Unsafe({ type: 'object', ...(min > 0 && { minProperties: min }) }),
    refuse(value, path) {
      if (!isObject(value)) return issueAt(path, 'must be object')
      return Object.keys(value).length < min ? issueAt(path, `must NOT have fewer than ${min} properties`) : []
    },
  }
}

export function issueAt(path: string, message: string): Issue[] {
  return [{ path, message }]
}
