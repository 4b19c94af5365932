import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { interactive } from './interactive.ts'
import type { Shape } from './shape.ts'
import { template } from './template.ts'
import { changed, GONE, placesIn, valueAt } from './test/change.ts'
import { EXAMPLES, PASSED_ON } from './test/examples.ts'

/** What only `refuse` can say, because it concerns several members or the meaning of a text. */
const BEYOND_SCHEMA = [
  /^must have \w+ or \w+$/,
  /^must NOT have both \w+ and \w+$/,
  /^must differ from that of every other (?:button|card)$/,
  /^must have the same kind of button as the first card$/,
  /^is required where there is more than one section$/,
  /^must NOT have more than \d+ (?:rows|products) in all$/,
  /^must be an absolute http or https URL$/,
]

/** Each side of every limit there is, for a number, a text and a list. */
const EDGES = [0, 1, 2, 3, 9, 10, 20, 24, 30, 60, 72, 160, 200, 256, 512, 1024, 2048, 4096, 43_200].flatMap((limit) => [
  limit,
  limit + 1,
])
const LENGTH_OF_LIST_MAX = 40
const OTHERS = [GONE, null, true, -1, 0.5, '7', 'x y', 'https://example.com', {}, { x: 1 }, { text: 'x' }, [{}], ['x']]

for (const [name, shape] of Object.entries<Shape<unknown>>({ interactive, template })) {
  test(`the description of ${name} says what is checked of it, but for what a schema cannot say`, {
    rules: ['D7-01'],
  }, () => {
    const validate = new Ajv({ strict: false }).compile(conditional(shape.schema) as object)

    for (const value of variationsOf(name)) {
      const issues = shape.refuse(value, '')
      const isBeyond = issues.length > 0 && issues.every(isBeyondSchema)
      assert.equal(validate(value), issues.length === 0 || isBeyond, JSON.stringify({ value, issues }))
    }
  })
}

function isBeyondSchema({ message }: { message: string }): boolean {
  return BEYOND_SCHEMA.some((rule) => rule.test(message))
}

/** Every example, with every place in it replaced by everything that is near a limit or of another kind. */
function* variationsOf(name: string): Generator<unknown> {
  for (const body of Object.values<Record<string, unknown>>({ ...EXAMPLES, ...PASSED_ON })) {
    const content = body[name]
    for (const place of content === undefined ? [] : [...placesIn(content), '/header', '/footer'].slice(1)) {
      for (const other of replacementsOf(valueAt(content, place))) yield changed(content, place, other)
    }
  }
}

function replacementsOf(value: unknown): unknown[] {
  const texts = EDGES.map((length) => 'x'.repeat(length))
  const lists = Array.isArray(value) ? EDGES.filter((length) => length <= LENGTH_OF_LIST_MAX) : []
  return [...OTHERS, ...EDGES, ...texts, ...lists.map((length) => Array(length).fill(Object(value)[0]))]
}

/** The schema with each known type as a condition, in place of the alternatives that let everything through. */
function conditional(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(conditional)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, conditional(value)]))
  const known = members.anyOf as { title?: string; properties?: { type: object } }[] | undefined
  if (known?.at(-1)?.title !== 'any other type') return members
  const allOf = known.slice(0, -1).map((then) => ({ if: { properties: { type: then.properties?.type } }, then }))
  return { ...members, anyOf: [{}], allOf }
}
