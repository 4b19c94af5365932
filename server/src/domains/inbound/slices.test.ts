import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseLossless } from '../../kernel/json/lossless.ts'
import { jsonValues, type Noise, noises, pad, print, printMember } from '../../kernel/json/test/noisy-json.ts'
import { isObject } from '../../kernel/json/values.ts'
import { around, read, readOne } from './test/callbacks.ts'

type Entry = { others: [string, unknown][]; changesAt: number; changes: unknown[] }

const changes = fc.oneof(
  { weight: 3, arbitrary: fc.record({ field: fc.string({ unit: 'binary' }), value: jsonValues }) },
  { weight: 1, arbitrary: jsonValues },
)
const keys = fc.oneof(fc.constantFrom('id', 'time', 'entry', '__proto__'), fc.string({ unit: 'binary' }))
const entries: fc.Arbitrary<Entry> = fc.record({
  others: fc.uniqueArray(
    fc.tuple(
      keys.filter((key) => key !== 'changes'),
      jsonValues,
    ),
    { selector: ([key]) => key, maxLength: 4 },
  ),
  changesAt: fc.nat(4),
  changes: fc.array(changes, { maxLength: 4 }),
})

/** The text of a callback, and the expected slice of each change that is an object. */
function printCallback(object: string, parts: Entry[], noise: Noise) {
  const objectText = print(object, noise)
  const written = parts.map((entry) => {
    const others = entry.others.map(([key, value]) => printMember(key, value, noise))
    const items = entry.changes.map((change) => print(change, noise))
    const list = `"changes"${pad(':', noise)}[${items.map((item) => pad(item, noise)).join(',')}]`
    const members = others.toSpliced(entry.changesAt, 0, list).map((member) => pad(member, noise))
    return { others, items, text: pad(`{${members.join(',')}}`, noise) }
  })
  const entryText = `"entry"${pad(':', noise)}[${written.map(({ text }) => text).join(',')}]`
  const objectMember = `"object"${pad(':', noise)}${objectText}`
  const members = noise() % 2 === 0 ? [objectMember, '"x":0', entryText] : [entryText, objectMember]
  const slices = written.flatMap(({ others, items }) =>
    items
      .filter((item) => isObject(JSON.parse(item)))
      .map((item) => ({
        change: item,
        raw: `{"object":${objectText},"entry":[{${others.map((other) => `${other},`).join('')}"changes":[${item}]}]}`,
      })),
  )
  return { text: pad(`{${members.map((member) => pad(member, noise)).join(',')}}`, noise), slices }
}

test('the slices of any callback have the exact bytes of its changes and of their entries', {
  rules: ['event.each-change-is-also-raw'],
}, () => {
  fc.assert(
    fc.property(fc.string(), fc.array(entries, { maxLength: 4 }), noises, (object, parts, noise) => {
      const { text, slices } = printCallback(object, parts, noise)

      const envelope = read(text)

      assert.equal(envelope.object, object)
      assert.deepEqual(
        envelope.changes.map(({ raw }) => raw.toString()),
        slices.map(({ raw }) => raw),
      )
      for (const [index, { change }] of slices.entries()) {
        assert.ok(text.includes(change))
        assert.deepEqual(envelope.changes[index]?.value, (parseLossless(change) as { value?: unknown }).value)
      }
    }),
  )
})

test('the slices of any callback together have the same value as the callback', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(entries, { maxLength: 4 }), noises, (object, parts, noise) => {
      const { text } = printCallback(object, parts, noise)
      const whole: { object: unknown; entry: { changes: unknown[] }[] } = JSON.parse(text)

      const slices = read(text).changes.map(({ raw }) => JSON.parse(raw.toString()))

      const expected = whole.entry.flatMap((entry) =>
        entry.changes.filter(isObject).map((change) => ({ object: whole.object, entry: [withChange(entry, change)] })),
      )
      assert.deepEqual(slices, expected)
    }),
  )
})

/** A spread would set the prototype for a member `__proto__`; this defines a member. */
function withChange(entry: object, change: unknown): object {
  return Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, key === 'changes' ? [change] : value]))
}

test('bytes that are not UTF-8 are replaced in parsed values and forwarded unchanged', () => {
  const bad = Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0xe2, 0x82])
  const change = Buffer.concat([Buffer.from('{"field":"f'), bad, Buffer.from('","value":"'), bad, Buffer.from('"}')])
  const others = Buffer.concat([Buffer.from('"k'), bad, Buffer.from('":"'), bad, Buffer.from('"')])
  const callback = Buffer.from(around(change.toString('latin1'), others.toString('latin1')), 'latin1')

  const { raw, field, value } = readOne(callback)

  assert.ok(raw.equals(callback))
  assert.deepEqual([field, value], [`f${bad.toString()}`, bad.toString()])
  assert.match(String(value), /^\ufffd+$/)
})

test('an escaped NUL is parsed as NUL and forwarded unchanged', () => {
  const callback = around('{"field":"\\u0000","value":{"\\u0000":"a\\u0000"}}', '"id":"\\u0000"')

  const { raw, field, value, entryId } = readOne(callback)

  assert.equal(raw.toString(), callback)
  assert.deepEqual([field, value, entryId], ['\0', { '\0': 'a\0' }, '\0'])
})

test('the fingerprint of a change is the first half of the hash of its slice', () => {
  const change = '{"field":"messages","value":{"messages":[{"id":"wamid.1"}]}}'
  const callback = `{"object":"o","entry":[{"id":"1","changes":[${change},${change}]},{"id":"2","changes":[${change}]}]}`

  const [first, again, elsewhere] = read(callback).changes

  const hex = createHash('sha256').update(first!.raw).digest('hex').slice(0, 32)
  assert.match(first!.fingerprint, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.equal(first!.fingerprint.replaceAll('-', ''), hex)
  assert.equal(again!.fingerprint, first!.fingerprint)
  assert.notEqual(elsewhere!.fingerprint, first!.fingerprint)
})

test("a slice is a copy of the callback's bytes", () => {
  const bytes = Buffer.from(around('{"field":"f"}'))
  const { raw } = readOne(bytes)
  const before = raw.toString()

  bytes.fill(0x20)

  assert.equal(raw.toString(), before)
})
