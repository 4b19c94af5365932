import { type TObject, type TProperties, type TSchema, Type } from 'typebox'

export const Uuid = Type.String({ format: 'uuid' })
export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds' })
export const IdParams = Type.Object({ id: Uuid })

export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

export function strictObject<T extends TProperties>(properties: T, options: Record<string, unknown> = {}): TObject<T> {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** The envelope of every success. */
export function dataOf<T extends TProperties>(properties: T) {
  return Type.Object({ data: Type.Object(properties) })
}

/** The type is said beside the values: without it Ajv looks for repeats in a list by comparing each item with each. */
export function oneOf<const T extends string>(values: readonly T[], options: { default?: T } = {}) {
  return Type.Enum([...values], { type: 'string', ...options })
}

export const ErrorEnvelope = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    request_id: Uuid,
    details: nullable(Type.Object({}, { additionalProperties: true })),
  }),
})
