import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { buildOutline, cutDepth, listElements, listMembers, type Outline, type Span } from './spans.ts'
import { jsonValues, noises, pad, print } from './test/noisy-json.ts'

const LEVELS = [1, 2, 5]

function readSlice({ bytes }: Outline, { start, end }: Span): string {
  return bytes.toString('utf8', start, end)
}

function outline(text: string, levels = 2): Outline {
  return buildOutline(Buffer.from(text), levels)
}

function readMembers(text: string): [string, string][] {
  const whole = outline(text)
  return [...listMembers(whole, whole.root).values()].map((member) => [member.key, readSlice(whole, member)])
}

function readElements(text: string): string[] {
  const whole = outline(text)
  return listElements(whole, whole.root).map((element) => readSlice(whole, element))
}

function measureDepth(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(measureDepth))
}

const MEMBERS: [string, [string, string][]][] = [
  ['{}', []],
  [' { \n } ', []],
  ['{"a":1}', [['a', '1']]],
  [
    '{"a":-1.5e+3,"b":true,"c":null,"d":""}',
    [
      ['a', '-1.5e+3'],
      ['b', 'true'],
      ['c', 'null'],
      ['d', '""'],
    ],
  ],
  [
    '\t{ "a" : [ 1 , {"b" : "}]"} ] \r\n,\n"c"\t:\t{ }\n}\n',
    [
      ['a', '[ 1 , {"b" : "}]"} ]'],
      ['c', '{ }'],
    ],
  ],
  ['{"a\\"}":"\\\\"}', [['a"}', '"\\\\"']]],
  ['{"\\u0061\\n":"\\u0000"}', [['a\n', '"\\u0000"']]],
  ['{"":{"":{}}}', [['', '{"":{}}']]],
  ['{"é":"\u{1f600}"}', [['é', '"\u{1f600}"']]],
  [
    '{"__proto__":1,"constructor":2}',
    [
      ['__proto__', '1'],
      ['constructor', '2'],
    ],
  ],
  ['[1]', []],
  ['"{}"', []],
]

for (const [text, members] of MEMBERS) {
  test(`${JSON.stringify(text)} has ${members.length} members with their exact text`, () => {
    assert.deepEqual(readMembers(text), members)
  })
}

const ELEMENTS: [string, string[]][] = [
  ['[]', []],
  ['[ \n]', []],
  ['[1]', ['1']],
  ['[ 1,"," ,\n[2, [3]] , {"a":[ ]},null]', ['1', '","', '[2, [3]]', '{"a":[ ]}', 'null']],
  ['["\\"","\\\\","\\\\\\""]', ['"\\""', '"\\\\"', '"\\\\\\""']],
  [' [[],[[]],{}] ', ['[]', '[[]]', '{}']],
  ['{"a":1}', []],
  ['12', []],
]

for (const [text, elements] of ELEMENTS) {
  test(`${JSON.stringify(text)} has ${elements.length} elements with their exact text`, () => {
    assert.deepEqual(readElements(text), elements)
  })
}

test('the last of two equal keys counts, even if one is escaped', () => {
  assert.deepEqual(readMembers('{"a":1,"b":2,"\\u0061":3}'), [
    ['a', '3'],
    ['b', '2'],
  ])
})

test("a member's span with its key is the whole member", () => {
  const whole = outline('{ "a":1, "\\u0062" : [2] }')

  const member = listMembers(whole, whole.root).get('b')

  assert.equal(whole.bytes.toString('utf8', member?.keyStart, member?.end), '"\\u0062" : [2]')
})

test('the span of a scalar has no whitespace around it', () => {
  for (const scalar of ['12', '-0.5E-7', 'true', 'null', '"a b"', '"\\""']) {
    const whole = outline(` \n${scalar}\t `)
    assert.equal(readSlice(whole, whole.root), scalar)
    assert.equal(whole.root.depth, 0)
  }
})

test('the depth counts nested levels and ignores brackets in strings', () => {
  const depths: [string, number][] = [
    ['[]', 1],
    ['{"a":"[[[["}', 1],
    ['[[],[[]],[]]', 3],
    ['[[[[]]],[]]', 4],
    ['{"a":{"b":[{}]},"c":[]}', 4],
  ]
  for (const [text, depth] of depths) {
    for (const levels of LEVELS) assert.equal(outline(text, levels).root.depth, depth, text)
  }
})

test('bytes that are not UTF-8 neither end nor start a string', () => {
  const bytes = Buffer.concat([Buffer.from('["'), Buffer.from([0xff, 0xc3]), Buffer.from('",1]')])
  const whole = buildOutline(bytes, 2)

  const spans = listElements(whole, whole.root)

  assert.deepEqual(
    spans.map(({ start, end }) => [start, end]),
    [
      [1, 5],
      [6, 7],
    ],
  )
})

test('two million nested levels do not overflow the stack', () => {
  const levels = 2_000_000
  const whole = outline(`[1,${'['.repeat(levels)}${']'.repeat(levels)},2]`)

  const elements = listElements(whole, whole.root)

  assert.deepEqual(
    elements.map(({ depth }) => depth),
    [0, levels, 0],
  )
  assert.equal(whole.root.depth, levels + 1)
})

/** The parts of a container with their parsed values; members in the order of their keys. */
function listParts(whole: Outline, span: Span, value: unknown): { span: Span; value: unknown }[] {
  const members = listMembers(whole, span)
  const elements = listElements(whole, span)
  const parts = [...[...members].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, member]) => member), ...elements]
  const values = Array.isArray(value) ? value : valuesByKey(value)
  assert.equal(parts.length, values.length)
  return parts.map((part, index) => ({ span: part, value: values[index] }))
}

function valuesByKey(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, item]) => item)
}

test('the slices of any JSON text parse to the parts of its value, at any level', () => {
  fc.assert(
    fc.property(jsonValues, noises, fc.constantFrom(...LEVELS), (value, noise, levels) => {
      const text = pad(print(value, noise), noise)
      const whole = outline(text, levels)
      const open = [{ span: whole.root, value: JSON.parse(text) as unknown }]
      assert.deepEqual(open[0]?.value, JSON.parse(JSON.stringify(value)))

      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        const slice = readSlice(whole, next.span)
        assert.equal(slice, slice.trim())
        assert.deepEqual(JSON.parse(slice), next.value)
        assert.equal(next.span.depth, measureDepth(next.value))
        open.push(...listParts(whole, next.span, next.value))
      }
    }),
  )
})

function cut(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return null
  if (Array.isArray(value)) return value.map((item) => cut(item, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item, levels - 1)]))
}

test('cutting the depth of any JSON text replaces deeper containers with null', () => {
  fc.assert(
    fc.property(jsonValues, noises, fc.nat({ max: 5 }), (value, noise, levels) => {
      const whole = outline(pad(print(value, noise), noise))

      const text = cutDepth(whole.bytes, whole.root, levels).toString()

      assert.deepEqual(JSON.parse(text), cut(JSON.parse(readSlice(whole, whole.root)), levels))
      if (whole.root.depth <= levels) assert.equal(text, readSlice(whole, whole.root))
    }),
  )
})
