import type { Fragment, Sql } from './pool.ts'
import { type Columns, toColumnName } from './rows.ts'

/** A composite type of the database, whose attributes are the columns in their order. */
export type RecordType<Item extends object> = { readonly name: string; readonly columns: Columns<Item> }

type Column = { key: string; type: string }
type KnownType = { template: TemplateStringsArray; columns: readonly Column[] }

const known = new Map<string, KnownType>()

/** Names a composite type of a migration. Its columns are written as those of `rows`. */
export function defineRecord<Item extends object>(name: string, columns: Columns<Item>): RecordType<Item> {
  const strings = ['', `::${name}[]`]
  const list = Object.entries(columns).map(([key, type]) => ({ key, type: type as string }))
  known.set(name, { template: Object.assign(strings, { raw: strings }), columns: list })
  return { name, columns }
}

/** For a test that compares the types with those of the database. */
export function listRecordTypes(): { name: string; columns: string[] }[] {
  return [...known].map(([name, { columns }]) => ({ name, columns: columns.map(({ key }) => toColumnName(key)) }))
}

/** Objects as an array of a composite type, for a parameter of a function: one parameter of the statement. */
export function records<Item extends object>(sql: Sql, { name }: RecordType<Item>, items: readonly Item[]): Fragment {
  const { template, columns } = known.get(name) as KnownType
  const elements = items.map((item) => {
    const fields = columns.map(({ key, type }) => encode(item[key as keyof Item], key, type))
    return `"(${fields.join(',')})"`
  })
  return sql(template, `{${elements.join(',')}}`)
}

/** Bytes for rows of one statement, which are one parameter: each row has the place and the length of its own. */
export function createByteParts() {
  const parts: Uint8Array[] = []
  let end = 0

  return {
    /** Places are those of SQL, from 1 on. */
    add(part: Uint8Array): { at: number; length: number } {
      const at = end + 1
      parts.push(part)
      end += part.length
      return { at, length: part.length }
    },

    concat: () => Buffer.concat(parts),
  }
}

/** A field of a record in an array. Nothing is null; a field in quotes is in the quotes of its element, too. */
function encode(value: unknown, key: string, type: string): string {
  if (value === undefined) throw new TypeError(`The value of "${key}" is undefined.`)
  if (value === null) return ''
  if (type === 'bytea') return `\\\\\\\\x${toBuffer(value as Uint8Array).toString('hex')}`
  if (type === 'json' || type === 'jsonb') return quote(JSON.stringify(value), key)
  if (value instanceof Date) return quote(value.toISOString(), key)
  return typeof value === 'string' ? quote(value, key) : String(value)
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

const SPECIAL = /["\\\0]/

function quote(text: string, key: string): string {
  if (!SPECIAL.test(text)) return `\\"${text}\\"`
  if (text.includes('\0')) {
    throw new TypeError(`The value of "${key}" has a NUL character, which PostgreSQL cannot store.`)
  }
  return `\\"${text.replaceAll(/["\\]/g, (special) => (special === '"' ? '\\\\\\"' : '\\\\\\\\'))}\\"`
}
