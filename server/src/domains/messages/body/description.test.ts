import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { MessageBody } from './message-body.ts'
import { changed, GONE, placesIn, valueAt } from './test/change.ts'
import { EXAMPLES, PASSED_ON } from './test/examples.ts'
import { passesSchema } from './test/judge.ts'

/** Values on both sides of every limit, for numbers, texts and lists. */
const EDGES = [0, 1, 2, 3, 9, 10, 20, 24, 30, 60, 72, 160, 200, 256, 512, 1024, 2048, 4096, 43_200].flatMap((limit) => [
  limit,
  limit + 1,
])
const LENGTH_OF_LIST_MAX = 40
const OTHERS = [GONE, null, true, -1, 0.5, '7', 'x y', 'https://example.com', {}, { x: 1 }, { text: 'x' }, [{}], ['x']]

for (const name of ['interactive', 'template']) {
  test(`the OpenAPI schema of ${name} accepts what the hub accepts, except for rules that no schema can express`, {
    rules: ['send.invalid-body-is-400'],
  }, () => {
    // Without the hub's own `discriminator`: other readers of the document know only the plain `oneOf`.
    const validate = new Ajv({ strict: false, formats: { iri: URL.canParse } }).compile(MessageBody)

    for (const value of generateVariations(name)) {
      // The message is built for a failure only: there are thousands of variations, some of them long.
      if (validate(value) !== passesSchema(value)) assert.fail(JSON.stringify(value))
    }
  })
}

/** The example with each of its values replaced by values near a limit or of another type. */
function* generateVariations(name: string): Generator<unknown> {
  for (const body of Object.values<Record<string, unknown>>({ ...EXAMPLES, ...PASSED_ON })) {
    for (const place of body.type === name ? [...placesIn(body), `/${name}/header`, `/${name}/footer`].slice(1) : []) {
      for (const other of listReplacements(valueAt(body, place))) yield changed(body, place, other)
    }
  }
}

function listReplacements(value: unknown): unknown[] {
  const texts = EDGES.map((length) => 'x'.repeat(length))
  const lists = Array.isArray(value) ? EDGES.filter((length) => length <= LENGTH_OF_LIST_MAX) : []
  return [...OTHERS, ...EDGES, ...texts, ...lists.map((length) => Array(length).fill(Object(value)[0]))]
}
