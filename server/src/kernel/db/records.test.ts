import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '../../../test/database.ts'
import { openPool, type Tx } from './pool.ts'
import { defineRecord, records } from './records.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
  fc.string({ unit: fc.constantFrom('"', '\\', ',', '(', ')', '{', '}', ' ', '\n', "'", 'null', '', '\ud800', '🦊') }),
)

const anyItem = fc.record({
  id: fc.option(fc.uuid()),
  someText: fc.option(anyText),
  number: fc.option(fc.integer()),
  smallNumber: fc.option(fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 })),
  isTrue: fc.option(fc.boolean()),
  dueAt: fc.option(fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })),
  body: fc.option(fc.uint8Array().map((bytes) => Buffer.from(bytes))),
  document: fc.option(fc.jsonValue({ noUnicodeString: false }).filter((value) => value !== null)),
})

type Item = typeof anyItem extends fc.Arbitrary<infer T> ? T : never

const ANY = defineRecord<Item>('pg_temp.any_item', {
  id: 'uuid',
  someText: 'text',
  number: 'int',
  smallNumber: 'smallint',
  isTrue: 'boolean',
  dueAt: 'timestamptz',
  body: 'bytea',
  document: 'json',
})

async function createAnyType(tx: Tx): Promise<void> {
  await tx.unsafe(`
    create type pg_temp.any_item as (id uuid, some_text text, number int, small_number smallint, is_true boolean,
      due_at timestamptz, body bytea, document json)`)
}

/** The element as the driver reads it back. */
function toStored({ id, someText, number, smallNumber, isTrue, dueAt, body, document }: Item) {
  return {
    id,
    some_text: someText?.toWellFormed() ?? null,
    number,
    small_number: smallNumber,
    is_true: isTrue,
    due_at: dueAt?.toISOString() ?? null,
    body,
    document: document === null ? null : JSON.parse(JSON.stringify(document)),
  }
}

test('records of every type keep their order and values', async (t) => {
  const { target } = await testDatabase()
  const sql = openPool(target, { max: 1, name: 'records' })
  t.after(() => sql.end({ timeout: 5 }))

  await sql.begin(async (tx) => {
    await createAnyType(tx)
    await fc.assert(
      fc.asyncProperty(fc.array(anyItem), async (items) => {
        const stored = await tx`select r.* from unnest(${records(tx, ANY, items)}) r`

        assert.deepEqual([...stored], items.map(toStored))
      }),
      { numRuns: 200 },
    )
    await tx.unsafe('drop type pg_temp.any_item')
  })
})

test('a NUL character in a text and an undefined value throw an error that names the attribute', async () => {
  const { sql } = await testDatabase()
  const item = { id: null, number: null, smallNumber: null, isTrue: null, dueAt: null, body: null, document: null }

  assert.throws(() => records(sql, ANY, [{ ...item, someText: 'a\0b' }]), /"someText" has a NUL character/)
  assert.throws(() => records(sql, ANY, [item as unknown as Item]), /"someText" is undefined/)
})
