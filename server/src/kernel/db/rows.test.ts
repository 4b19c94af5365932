import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '../../../test/database.ts'
import { rows } from './rows.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
  fc.string({
    unit: fc.constantFrom('"', '\\', ',', '{', '}', ' ', '\n', "'", 'null', 'NULL', '\ud800', '\udc00', '🦊', 'é'),
  }),
)
const anyDate = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
/** A null document is SQL's null. */
const anyJson = fc.jsonValue({ noUnicodeString: false }).filter((value) => value !== null)

const anyItem = fc.record({
  id: fc.option(fc.uuid()),
  displayName: fc.option(anyText),
  smallNumber: fc.option(fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 })),
  number: fc.option(fc.integer()),
  bigNumber: fc.option(fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.maxSafeInteger())),
  fraction: fc.option(fc.double()),
  isTrue: fc.option(fc.boolean()),
  dueAt: fc.option(
    fc.oneof(
      anyDate,
      anyDate.map((date) => date.toISOString()),
    ),
  ),
  body: fc.option(
    fc.oneof(
      fc.uint8Array(),
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    ),
  ),
  document: fc.option(anyJson),
})

const EMPTY = {
  id: null,
  displayName: null,
  smallNumber: null,
  number: null,
  bigNumber: null,
  fraction: null,
  isTrue: null,
  dueAt: null,
  body: null,
  document: null,
}

type Item = typeof anyItem extends fc.Arbitrary<infer T> ? T : never

const COLUMNS = {
  id: 'uuid',
  displayName: 'text',
  smallNumber: 'smallint',
  number: 'int',
  bigNumber: 'bigint',
  fraction: 'float8',
  isTrue: 'boolean',
  dueAt: 'timestamptz',
  body: 'bytea',
  document: 'json',
} as const

/** The element as the driver reads it back: UTF-8 has no lone surrogates, and a bigint leaves the pool as text. */
function toStored(item: Item) {
  return {
    id: item.id,
    display_name: item.displayName?.toWellFormed() ?? null,
    small_number: item.smallNumber,
    number: item.number,
    big_number: item.bigNumber === null ? null : String(item.bigNumber),
    fraction: item.fraction,
    is_true: item.isTrue,
    due_at: item.dueAt && new Date(item.dueAt).toISOString(),
    body: item.body && Buffer.from(item.body),
    document: item.document === null ? null : JSON.parse(JSON.stringify(item.document)),
  }
}

test('rows of every type keep their order and values', async () => {
  const { sql } = await testDatabase()

  await fc.assert(
    fc.asyncProperty(fc.array(anyItem), async (items) => {
      const stored = await sql`select * from ${rows(sql, items, COLUMNS)} as r`

      assert.deepEqual([...stored], items.map(toStored))
    }),
    { numRuns: 300, examples: [[[{ ...EMPTY, fraction: -0 }]]] },
  )
})

/** Texts that an array literal or a line of JSON could confuse with its own syntax, or that Unicode makes unusual. */
const ODD_TEXTS = [
  ...[
    '',
    ' ',
    '\t',
    '\n',
    '\r\n',
    ',',
    '{',
    '}',
    '{}',
    '()',
    '-',
    "'",
    '"',
    '""',
    '\\',
    '\\\\',
    '\\"',
    '"\\',
    '\\n',
    '\\x00',
  ],
  ...['null', 'NULL', '"null"', '$1', '--', '/*', '\u0001', '\u007f', '\u0085', '\u2028', '\ufeff', '\ufffd', '\uffff'],
  ...['\ud800', '\udc00\ud800', 'é', 'e\u0301', '\u202e', '🦊', '👩‍👩‍👧', '\u{10ffff}', 'z'.repeat(100_000)],
]

test('empty strings, quotes, backslashes, words of SQL and odd Unicode are values like others', async () => {
  const { sql } = await testDatabase()
  const items = ODD_TEXTS.map((text) => ({ text, bytes: Buffer.from(text), json: { text: `${text}\0`, list: [text] } }))

  const stored = await sql`select * from ${rows(sql, items, { text: 'text', bytes: 'bytea', json: 'json' })} as r`

  assert.deepEqual(
    [...stored],
    items.map(({ text, ...item }) => ({ ...item, text: text.toWellFormed() })),
  )
})

test('a column of empty strings, and one of empty bytes, keep the number of rows', async () => {
  const { sql } = await testDatabase()
  for (const count of [1, 2, 200]) {
    const items = Array.from({ length: count }, () => ({ text: '', bytes: Buffer.alloc(0) }))

    const stored = await sql`select * from ${rows(sql, items, { text: 'text', bytes: 'bytea' })} as r`

    assert.deepEqual([...stored], items)
  }
})

test('a single column of nulls keeps the number of rows', async () => {
  const { sql } = await testDatabase()
  for (const type of ['text', 'bytea', 'json', 'jsonb'] as const) {
    for (const count of [0, 1, 3]) {
      const items = Array.from({ length: count }, () => ({ value: null }))

      const stored = await sql`select * from ${rows(sql, items, { value: type })} as r`

      assert.deepEqual([...stored], items, `${count} of ${type}`)
    }
  }
})

test('large values are not truncated', async () => {
  const { sql } = await testDatabase()
  const items = [
    { text: '\\"{🦊}'.repeat(200_000), bytes: Buffer.alloc(2_000_000, 0x5c), json: { text: '\n"'.repeat(200_000) } },
  ]

  const stored = await sql`select * from ${rows(sql, items, { text: 'text', bytes: 'bytea', json: 'jsonb' })} as r`

  assert.deepEqual([...stored], items)
})

test('a NUL character in text and an undefined value throw an error that names the column', async () => {
  const { sql } = await testDatabase()

  assert.throws(() => rows(sql, [{ name: 'a\0b' }], { name: 'text' }), /"name" has a NUL character/)
  assert.throws(() => rows(sql, [{ content: undefined as unknown }], { content: 'json' }), /"content" is undefined/)
})

test('a statement over rows is prepared once for any number of rows and any first value', async () => {
  const { sql } = await testDatabase()

  await sql.begin(async (tx) => {
    for (const items of [[], [{ id: null }], [{ id: crypto.randomUUID() }, { id: null }]]) {
      await tx`select count(*) as prepared_once from ${rows(tx, items as { id: string | null }[], { id: 'uuid' })} as r`
    }
    const [count] =
      await tx`select count(*)::int as n from pg_prepared_statements where statement like 'select count(*) as prepared_once%'`
    assert.equal(count?.n, 1)
  })
})

test('the compiler accepts only properties of the items, and column types that can hold them', async () => {
  const { sql } = await testDatabase()
  const items: { id: string; count: number; at: string | undefined }[] = []

  rows(sql, items, { id: 'uuid', count: 'int' })
  // @ts-expect-error There is no such property.
  rows(sql, items, { name: 'text' })
  // @ts-expect-error A number is not a uuid.
  rows(sql, items, { count: 'uuid' })
  // @ts-expect-error It may be undefined.
  rows(sql, items, { at: 'text' })
})
