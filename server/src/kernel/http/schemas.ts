import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { ErrorCode } from '../errors.ts'
import { PATTERNS } from './validation/patterns.ts'

declare module 'fastify' {
  interface FastifySchema {
    /** The codes that the handler can answer with, besides those that follow from access, limits and validation. */
    errors?: readonly ErrorCode[]
  }
}

export const Uuid = Type.String({ format: 'uuid' })
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'A time in ISO 8601, in UTC and with milliseconds.',
})
export const IdParams = Type.Object({ id: Uuid })
/** The query of a list that is read in pages, newest first. */
export const PageQuery = strictObject({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
})
export type PageQuery = Static<typeof PageQuery>

export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

export function strictObject<T extends TProperties>(properties: T, options: Record<string, unknown> = {}): TObject<T> {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

const documented = new WeakMap<object, TSchema>()

/**
 * A schema that the API's description shows as another: a value of the upstream passes the hub unchanged, which does not
 * validate the members that the description names.
 */
export function documentAs<T extends TSchema>(schema: T, shown: TSchema): T {
  documented.set(schema, shown)
  return schema
}

export function findDocumented(schema: object): TSchema | undefined {
  return documented.get(schema)
}

/** The values of a message, for clients that translate it by its reason. */
export const MessageParameters = Type.Unsafe<Readonly<Record<string, string | number>>>({
  type: 'object',
  additionalProperties: true,
  description:
    'The values in the message, texts and numbers by name, for clients that translate it by `reason`. An empty object if there are none.',
})

/** The envelope of every successful response. */
export function dataOf<T extends TProperties>(properties: T) {
  return Type.Object({ data: Type.Object(properties) })
}

/** With the type, Ajv checks `uniqueItems` by a map. Without it, Ajv compares each item with each other. */
export function oneOf<const T extends string>(
  values: readonly T[],
  options: { default?: T; description?: string } = {},
) {
  return Type.Enum([...values], { type: 'string', ...options })
}

type Tag = { const?: string; enum?: string[] }

/**
 * An object whose member `type` picks its schema: an issue is reported for that schema alone. In an open union an object
 * of another type passes as it is; its static type does not show that. `members` are checked even if `type` is wrong.
 */
export function unionByType<T extends TObject<{ type: TSchema }>>(
  schemas: T[],
  { isOpen = false, members = {}, ...options }: { isOpen?: boolean; members?: TProperties; description?: string } = {},
) {
  const tags = schemas.map(({ properties }) => toValues(properties.type))
  const type = isOpen ? Type.String({ minLength: 1 }) : Type.Enum(tags.flat())
  const other = { title: 'any other type', properties: { type: { not: { enum: tags.flat() } } } }
  const known = schemas.map((schema, index) => ({ title: tags[index]?.join(', '), ...schema }))
  return Type.Unsafe<Static<T>>({
    type: 'object',
    required: ['type', ...Object.keys(members)],
    properties: { type, ...members },
    discriminator: { propertyName: 'type' },
    oneOf: isOpen ? [...known, { ...other, description: 'Passed on as it is.' }] : known,
    ...options,
  })
}

function toValues({ const: value, enum: values = [] }: Tag): string[] {
  return value === undefined ? values : [value]
}

/** An option for an object that must have exactly one of two members. */
export function exactlyOneOf(first: string, second: string) {
  return { oneOf: [{ required: [first] }, { required: [second] }] }
}

/** The name that a person gives to a thing. It stands in one line of lists, logs and terminals. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: PATTERNS.not_one_line,
  description: 'The name is one line of 1 to 100 characters, without control characters, and is not blank.',
})
