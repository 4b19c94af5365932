import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DEPTH_MAX, readEnvelope } from './envelope.ts'
import { around, nested, read, readOne, readProblem } from './test/callbacks.ts'

const MIB = 1024 * 1024

/** A change with so many levels; the change itself is one. */
function buildChange(levels: number): string {
  return `{"field":"messages","value":${nested(levels - 1)}}`
}

test('a change of 64 levels has its whole value, and one of 65 without the deepest level', () => {
  const deepest = readOne(around(buildChange(DEPTH_MAX)))
  const deeper = readOne(around(buildChange(DEPTH_MAX + 1)))

  assert.equal(JSON.stringify(deepest.value), nested(DEPTH_MAX - 1))
  assert.deepEqual([deepest.isCut, deeper.isCut], [false, true])
  assert.equal(JSON.stringify(deeper.value), nested(DEPTH_MAX - 1).replace('[]', '[null]'))
  assert.equal(deeper.raw.toString(), around(buildChange(DEPTH_MAX + 1)))
})

test('a change of 64 levels with a long id has its whole value', () => {
  const list = nested(DEPTH_MAX - 1).replace('[]', '[9007199254740993]')

  const { value } = readOne(around(`{"value":${list}}`))

  assert.equal(JSON.stringify(value), list.replace('9007199254740993', '"9007199254740993"'))
})

test('only the deep part of a change is left out, and long ids keep their digits', () => {
  const deep = `{"value":{"id":9007199254740993,"x":${nested(100_000)},"y":[1,{}]}}`

  const { changes } = read(around(`{"value":1},${deep},{"value":9007199254740993}`))

  assert.deepEqual(
    changes.map(({ isCut }) => isCut),
    [false, true, false],
  )
  const [first, second, third] = changes.map(({ value }) => value)
  const { x, ...others } = second as { x: unknown }
  assert.deepEqual([first, others, third], [1, { id: '9007199254740993', y: [1, {}] }, '9007199254740993'])
  assert.equal(JSON.stringify(x), nested(DEPTH_MAX - 2).replace('[]', '[null]'))
})

test('deep nesting in the entry is forwarded with the change, and the change keeps its value', () => {
  const callback = around('{"value":1}', `"x":${nested(100_000)}`)

  const { raw, value } = readOne(callback)

  assert.equal(value, 1)
  assert.ok(raw.equals(Buffer.from(callback)))
})

test('a body of brackets does not overflow the stack', () => {
  assert.match(readProblem('['.repeat(4 * MIB)) ?? '', /not valid JSON/)
  assert.match(readProblem(nested(2 * MIB)) ?? '', /not an object/)
  assert.match(readProblem('{"entry":'.repeat(400_000)) ?? '', /not valid JSON/)
  assert.match(readProblem(`${'{"entry":'.repeat(400_000)}1${'}'.repeat(400_000)}`) ?? '', /no list of entries/)
  assert.equal(readOne(around(buildChange(2 * MIB - 100))).isCut, true)
})

test('a number of a million digits is parsed and forwarded', () => {
  const digits = '7'.repeat(1_000_000)

  const { entryId, value, raw } = readOne(around(`{"value":${digits}}`, `"id":${digits}`))

  assert.ok(entryId === digits && value === digits)
  assert.ok(raw.includes(`"changes":[{"value":${digits}}]`))
})

// Each slice repeats the members of its entry, so 4 MiB could become terabytes.
test('a callback whose slices exceed the limit is a problem', () => {
  const long = `"x":"${'x'.repeat(2 * MIB)}"`

  assert.match(readProblem(around('{},'.repeat(9).concat('{}'), long)) ?? '', /repeat too much/)
  assert.equal(read(around('{},{},{},{}', long)).changes.length, 4)
})

test('a callback with too many changes or entries is a problem', () => {
  assert.match(readProblem(around('{},'.repeat(30_000).concat('{}'))) ?? '', /too many entries and changes/)
  assert.match(readProblem(`{"entry":[${'{},'.repeat(30_000)}{}]}`) ?? '', /too many entries and changes/)
  assert.equal(read(around('{},'.repeat(9_999).concat('{}'))).changes.length, 10_000)
})

test('a callback of 4 MiB and 1,000 changes is split into complete changes', () => {
  const body = '\\u00e9 '.repeat(585)
  const change = (index: number) => `{"value":{"id":"wamid.${index}","body":"${body}"},"field":"messages"}`
  const written = Array.from({ length: 1_000 }, (_, index) => change(index))
  const callback = Buffer.from(around(written.join(',')))
  assert.ok(callback.length > 3.9 * MIB && callback.length <= 4 * MIB, String(callback.length))

  const { changes } = read(callback)

  assert.equal(changes.length, 1_000)
  for (const [index, { raw }] of changes.entries()) assert.ok(raw.equals(Buffer.from(around(change(index)))))
  assert.equal(new Set(changes.map(({ fingerprint }) => fingerprint)).size, 1_000)
})

test('any bytes are either changes or a problem', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: fc.constantFrom(...'{}[]",:\\ 1e"entry""changes"') }).map((text) => Buffer.from(text)),
  )

  fc.assert(
    fc.property(bytes, (body) => {
      const answer = readEnvelope(Buffer.from(body))
      assert.ok('problem' in answer || Array.isArray(answer.changes))
    }),
  )
})

test('a callback with any byte changed is either changes or a problem', () => {
  const callback = Buffer.from(
    around('{"field":"f","value":[{"a":"\\u0041"},1e5,null]},{"field":"g"}', '"id":12,"time":3'),
  )

  for (let at = 0; at < callback.length; at++) {
    for (const byte of Buffer.from('{}[]",:\\ 0\x00\xff', 'latin1')) {
      const answer = readEnvelope(Buffer.from(callback.with(at, byte)))
      assert.ok('problem' in answer || answer.changes.every(({ raw }) => JSON.parse(raw.toString()).entry.length === 1))
    }
  }
})
