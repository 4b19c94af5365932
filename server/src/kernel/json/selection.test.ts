import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Selected, type Shape, selectValues } from './selection.ts'
import { jsonValues, noises, pad, print } from './test/noisy-json.ts'

const LEAF: Shape = {}
const SHAPE: Shape = { members: { a: LEAF, list: { elements: { members: { a: LEAF, b: { elements: LEAF } } } } } }

function readSlice(bytes: Buffer, { start, end }: Selected): string {
  return bytes.toString('utf8', start, end)
}

/** Returns the values that JSON.parse finds at the places of the shape, in the form of `Selected`. */
function pick(value: unknown, { members, elements }: Shape): unknown {
  if (members && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(
      Object.entries(members).flatMap(([name, shape]) =>
        Object.hasOwn(value, name) ? [[name, pick(value[name as keyof typeof value], shape)]] : [],
      ),
    )
  }
  if (!elements || !Array.isArray(value)) return value
  const isLeaf = !elements.members && !elements.elements
  return value.map((item) => pick(item, elements)).filter((_, index) => isLeaf || hasNamed(value[index], elements))
}

function hasNamed(value: unknown, { members = {}, elements }: Shape): boolean {
  if (Array.isArray(value)) return elements !== undefined && value.length > 0
  return typeof value === 'object' && value !== null && Object.keys(members).some((name) => Object.hasOwn(value, name))
}

function toPicked(bytes: Buffer, selected: Selected, shape: Shape): unknown {
  const text = readSlice(bytes, selected)
  if (shape.members && text.startsWith('{')) {
    const members = [...selected.members].map(([name, value]) => {
      return [name, toPicked(bytes, value, shape.members?.[name] ?? LEAF)]
    })
    return Object.fromEntries(members)
  }
  const { elements } = shape
  return elements && text.startsWith('[')
    ? selected.elements.map((element) => toPicked(bytes, element, elements))
    : JSON.parse(text)
}

const documents = fc.record(
  {
    a: jsonValues,
    x: jsonValues,
    list: fc.oneof(
      jsonValues,
      fc.array(fc.oneof(jsonValues, fc.record({ a: jsonValues, b: fc.array(jsonValues), c: jsonValues }))),
    ),
  },
  { requiredKeys: [] },
)

test('the named values are found at their places, in any spelling of the document', () => {
  fc.assert(
    fc.property(fc.oneof(documents, jsonValues), noises, (value, noise) => {
      const bytes = Buffer.from(pad(print(value, noise), noise))

      const selected = selectValues(bytes, SHAPE)

      const parsed: unknown = JSON.parse(bytes.toString())
      assert.deepEqual(JSON.parse(readSlice(bytes, selected)), parsed)
      assert.deepEqual(toPicked(bytes, selected, SHAPE), pick(parsed, SHAPE))
    }),
    { numRuns: 500 },
  )
})

test('the last of two members with the same key counts', () => {
  const bytes = Buffer.from('{"a":1,"list":[{"a":2}],"\\u0061":3,"list":[]}')

  const { members } = selectValues(bytes, SHAPE)

  assert.equal(readSlice(bytes, members.get('a')!), '3')
  assert.deepEqual(members.get('list')?.elements, [])
})

test('names of the prototype are not members of a shape', () => {
  const bytes = Buffer.from('{"__proto__":{"a":1},"constructor":{"a":1},"toString":1}')

  assert.equal(selectValues(bytes, SHAPE).members.size, 0)
})

test('nesting of any depth and a million elements without a named value leave nothing in memory', () => {
  const deep = Buffer.from(`{"x":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)},"a":1}`)
  const wide = Buffer.from(`{"list":[${'{},'.repeat(1_000_000)}{"a":1}]}`)

  assert.equal(readSlice(deep, selectValues(deep, SHAPE).members.get('a')!), '1')
  assert.equal(selectValues(wide, SHAPE).members.get('list')?.elements.length, 1)
})

test('reading ends for every text that is not JSON', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '"a"', '"list"', '1', ' ')), (parts) => {
      selectValues(Buffer.from(parts.join('')), SHAPE)
    }),
    { numRuns: 2000 },
  )
})
