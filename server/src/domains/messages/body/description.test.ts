import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { MessageBody } from './message-body.ts'
import { changed, GONE, placesIn, valueAt } from './test/change.ts'
import { EXAMPLES, PASSED_ON } from './test/examples.ts'
import { passesSchema } from './test/judge.ts'

/** Each side of every limit there is, for a number, a text and a list. */
const EDGES = [0, 1, 2, 3, 9, 10, 20, 24, 30, 60, 72, 160, 200, 256, 512, 1024, 2048, 4096, 43_200].flatMap((limit) => [
  limit,
  limit + 1,
])
const LENGTH_OF_LIST_MAX = 40
const OTHERS = [GONE, null, true, -1, 0.5, '7', 'x y', 'https://example.com', {}, { x: 1 }, { text: 'x' }, [{}], ['x']]

for (const name of ['interactive', 'template']) {
  test(`the description of ${name} says what is checked of it, but for what a schema cannot say`, {
    rules: ['D7-01'],
  }, () => {
    // Without the hub's own `discriminator`: a `oneOf` as every reader of the description understands it.
    const validate = new Ajv({ strict: false, formats: { iri: URL.canParse } }).compile(MessageBody)

    for (const value of variationsOf(name)) assert.equal(validate(value), passesSchema(value), JSON.stringify(value))
  })
}

/** Every example, with every place in it replaced by everything that is near a limit or of another kind. */
function* variationsOf(name: string): Generator<unknown> {
  for (const body of Object.values<Record<string, unknown>>({ ...EXAMPLES, ...PASSED_ON })) {
    for (const place of body.type === name ? [...placesIn(body), `/${name}/header`, `/${name}/footer`].slice(1) : []) {
      for (const other of replacementsOf(valueAt(body, place))) yield changed(body, place, other)
    }
  }
}

function replacementsOf(value: unknown): unknown[] {
  const texts = EDGES.map((length) => 'x'.repeat(length))
  const lists = Array.isArray(value) ? EDGES.filter((length) => length <= LENGTH_OF_LIST_MAX) : []
  return [...OTHERS, ...EDGES, ...texts, ...lists.map((length) => Array(length).fill(Object(value)[0]))]
}
