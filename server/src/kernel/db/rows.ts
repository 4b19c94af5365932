import type { Fragment, Sql } from './pool.ts'

/** The SQL types of columns, and the values that each takes. */
type ColumnTypes = {
  uuid: string
  text: string
  smallint: number
  int: number
  bigint: number | bigint
  float8: number
  boolean: boolean
  timestamptz: Date | string
  bytea: Uint8Array
  /** A null is SQL's null, not JSON's. */
  json: unknown
  jsonb: unknown
}

type ColumnType = keyof ColumnTypes

type ColumnTypeFor<Value> = {
  [Type in ColumnType]: [Value] extends [ColumnTypes[Type] | null] ? Type : never
}[ColumnType]

/** Property of an element to the SQL type of its column: `{ organizationId: 'uuid' }` is `organization_id uuid`. */
export type Columns<Item> = { readonly [Key in keyof Item & string]?: ColumnTypeFor<Item[Key]> }

/**
 * Objects as the rows of a relation, for statements that read or write many at once:
 * `from ${rows(tx, events, { id: 'uuid', channelId: 'uuid', body: 'bytea' })} as e`.
 * The property `channelId` is the column `channel_id`. Rows keep the order of the list.
 *
 * Each column is one parameter, an array literal. The statement's text and its
 * parameter types depend only on the columns, so each connection prepares it once.
 */
export function rows<Item extends object>(sql: Sql, items: readonly Item[], columns: Columns<Item>): Fragment {
  const types = Object.entries(columns) as [keyof Item & string, ColumnType][]
  return sql(
    loadTemplate(types),
    ...types.map(([key, type]) => {
      const encode = ENCODERS[type] as (value: unknown, key: string) => string
      const values = items.map((item) => encodeNullable(item[key], key, type, encode))
      return isJson(type) ? values.join('\n') : `{${values.join(',')}}`
    }),
  )
}

const templates = new Map<string, TemplateStringsArray>()

/** Statements are prepared by the identity of their templates, so each list of columns has only one. */
function loadTemplate(types: [string, ColumnType][]): TemplateStringsArray {
  const key = types.join()
  const known = templates.get(key)
  if (known) return known
  const template = buildTemplate(types)
  templates.set(key, template)
  return template
}

/** `(select * from unnest($1::uuid[], …) as r ("id", …))`: a subquery, which the caller can alias and the planner flattens. */
function buildTemplate(types: [string, ColumnType][]): TemplateStringsArray {
  const names = types.map(([key]) => `"${toColumnName(key)}"`).join(', ')
  const strings = ['(select * from unnest(']
  for (const [, type] of types) {
    // JSON.stringify writes no line breaks, so one document per line needs no escaping of quotes.
    const [before, after] = isJson(type) ? ['string_to_array(', `, chr(10), '${JSON_NULL}')`] : ['', '']
    strings[strings.length - 1] += before
    strings.push(`${after}::${type}[], `)
  }
  strings[strings.length - 1] = `${strings.at(-1)?.slice(0, -2)}) as r (${names}))`
  return Object.assign(strings, { raw: strings })
}

export const toColumnName = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** SQL's null among lines of JSON: not a JSON text, and not empty, so that a single null is still one line. */
const JSON_NULL = '-'

const isJson = (type: ColumnType) => type === 'json' || type === 'jsonb'

function encodeNullable<Value>(
  value: Value,
  key: string,
  type: ColumnType,
  encode: (value: Value, key: string) => string,
): string {
  if (value === undefined) throw new TypeError(`The value of "${key}" is undefined.`)
  if (value === null) return isJson(type) ? JSON_NULL : 'null'
  return encode(value, key)
}

const ENCODERS: { [Type in ColumnType]: (value: ColumnTypes[Type], key: string) => string } = {
  uuid: quote,
  text: quote,
  smallint: String,
  int: String,
  bigint: String,
  // String(-0) is '0'.
  float8: (value) => (Object.is(value, -0) ? '-0' : String(value)),
  boolean: String,
  timestamptz: (value, key) => (typeof value === 'string' ? quote(value, key) : `"${value.toISOString()}"`),
  bytea: (value) => `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}"`,
  json: (value) => JSON.stringify(value),
  jsonb: (value) => JSON.stringify(value),
}

const SPECIAL = /["\\\0]/

function quote(value: string, key: string): string {
  if (!SPECIAL.test(value)) return `"${value}"`
  if (value.includes('\0'))
    throw new TypeError(`The value of "${key}" has a NUL character, which PostgreSQL cannot store.`)
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}

/** Replaces what PostgreSQL cannot store: NUL and unpaired surrogates. */
export function toStorableText(text: string): string {
  return text.includes('\0') || !text.isWellFormed() ? text.replaceAll('\0', '\ufffd').toWellFormed() : text
}
