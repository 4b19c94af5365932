import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '../../../../test/database.ts'
import { compile, createSql, type Fragment, type Value } from './sql.ts'

const sql = createSql(() => Promise.reject(new Error('nothing is sent here')))

function write(fragment: Fragment) {
  const { prepared, values } = compile(fragment)
  return { text: prepared.text, values }
}

test('the values of a template are parameters, and its fragments are parts of the text', () => {
  const isActive = sql`status = ${'active'}`
  const conditions = [sql`and a = ${1}`, sql`and b = ${2n}`]

  assert.deepEqual(write(sql`select ${sql('a"b.c')} from t where ${isActive} ${conditions} limit ${5}`), {
    text: 'select "a""b"."c" from t where status = $1 and a = $2 and b = $3 limit $4',
    values: ['active', '1', '2', '5'],
  })
})

const ENCODED: [value: Value, text: unknown, type: number][] = [
  ['text', 'text', 0],
  [null, null, 0],
  [1.5, '1.5', 0],
  [true, 'true', 16],
  [2n ** 60n, String(2n ** 60n), 20],
  [new Date(0), '1970-01-01T00:00:00.000Z', 1184],
  [new Uint8Array([0, 255]), Buffer.from([0, 255]), 17],
  [['a', null, 'b"\\'], '{"a",null,"b\\"\\\\"}', 0],
  [sql.json({ a: [1] }), '{"a":[1]}', 3802],
]

for (const [value, text, type] of ENCODED) {
  test(`a parameter of the type ${type} is ${text}`, () => {
    const { prepared, values } = compile(sql`select ${value}`)

    assert.deepEqual([values, prepared.types], [[text], [type]])
  })
}

test('an undefined value is refused before anything is sent', () => {
  assert.throws(() => compile(sql`select ${1}, ${undefined}`), /The value 2 of a statement is undefined/)
  assert.throws(() => compile(sql`select ${[undefined as never]}`), /element of an array parameter is undefined/)
})

test('a template has one prepared statement for each combination of its parts and types', () => {
  const build = (value: Value, part: Fragment) => compile(sql`select ${value} ${part}`).prepared
  const [a, b] = [sql`, 1 as a`, sql`, 2 as b`]

  const same = build('x', a)

  assert.equal(build('y', a), same)
  assert.equal(build(null, a), same)
  assert.notEqual(build(true, a), same)
  assert.notEqual(build('x', b), same)
})

/** Templates with up to three holes, which hold a value, another template or several. */
const anyFragment = fc.letrec<{ fragment: Fragment; hole: Value }>((tie) => ({
  hole: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Value[]>('text', true, null, 7),
    tie('fragment'),
    fc.array(tie('fragment'), { minLength: 1, maxLength: 2 }),
  ),
  fragment: fc.array(tie('hole'), { maxLength: 3 }).map((holes) => TEMPLATES[holes.length]!(holes)),
})).fragment

const TEMPLATES: ((holes: Value[]) => Fragment)[] = [
  () => sql`(0)`,
  ([a]) => sql`(1 ${a})`,
  ([a, b]) => sql`(2 ${a} ${b})`,
  ([a, b, c]) => sql`(3 ${a} ${b} ${c})`,
]

/** The text as it follows from the definition, without the tree. */
function spell({ strings, values }: Fragment, count = { n: 0 }): string {
  return (strings as TemplateStringsArray).reduce((text, string, index) => {
    const value = [values[index - 1] ?? null].flat()
    const isParameter = !(value[0] instanceof Object)
    const part = isParameter ? `$${++count.n}` : value.map((one) => spell(one as Fragment, count)).join(' ')
    return `${text}${part}${string}`
  })
}

test('fragments of an array are never taken for those of a fragment in it', () => {
  const outer = (value: Value) => sql`[${value}]`
  const inner = (value: Value) => sql`(${value})`
  const [a, b] = [sql`a`, sql`b`]

  assert.equal(write(outer([inner(a), b])).text, '[(a) b]')
  assert.equal(write(outer(inner([a, b]))).text, '[(a b)]')
})

test('a statement is never taken for another one with the same parts in other places', () => {
  fc.assert(
    fc.property(fc.array(anyFragment, { minLength: 1, maxLength: 20 }), (fragments) => {
      for (const fragment of fragments) assert.equal(compile(fragment).prepared.text, spell(fragment))
    }),
  )
})

test('texts that never repeat do not grow a connection without bound', async () => {
  const { target } = await testDatabase()
  const { openPool } = await import('../pool.ts')
  const pool = openPool(target, { max: 1, name: 'many statements' })

  for (let n = 0; n < 1100; n++) await pool`select ${pool.unsafe(String(n))}`
  const [row] = await pool`select count(*)::int as count from pg_prepared_statements`
  await pool.end()

  assert.equal(row?.count, 1000)
})
