import { asObject, type Json, type JsonObject } from '../json.ts'

/** An invalid request to the control API. */
export class ControlError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export type Reader = ReturnType<typeof createReader>

/** Reads the members of a control request by name and type. */
export function createReader(body: Json) {
  const members = asObject(body)

  function read<T>(name: string, what: string, isValid: (value: Json) => boolean): T | undefined {
    const value = members[name]
    if (value === undefined || value === null) return undefined
    if (!isValid(value)) throw new ControlError(400, `${name} must be ${what}`)
    return value as T
  }

  const text = (name: string) => read<string>(name, 'a string', (value) => typeof value === 'string')

  return {
    members,
    text,
    number: (name: string) => read<number>(name, 'a number', (value) => typeof value === 'number'),
    flag: (name: string) => read<boolean>(name, 'true or false', (value) => typeof value === 'boolean'),
    object: (name: string) => read<JsonObject>(name, 'an object', (value) => value === asObject(value)),
    list: (name: string) => read<Json[]>(name, 'a list', Array.isArray),

    required(name: string): string {
      const value = text(name)
      if (value === undefined) throw new ControlError(400, `${name} is required`)
      return value
    },

    oneOf<T extends string>(name: string, allowed: readonly T[], fallback?: T): T {
      const value = text(name) ?? fallback
      const match = allowed.find((item) => item === value)
      if (match === undefined) throw new ControlError(400, `${name} must be one of ${allowed.join(', ')}`)
      return match
    },
  }
}

export function requireFound<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new ControlError(404, `There is no such ${what}`)
  return value
}
