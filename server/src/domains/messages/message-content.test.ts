import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { INBOUND_TYPES } from '../inbound/test/inbound-types.ts'
import { EXAMPLES } from './body/test/examples.ts'
import * as schemas from './message-content.ts'
import { CONTENT_TYPES, MessageContent, UnknownContent } from './message-content.ts'

const ajv = new Ajv2020({ strict: false })
const variants = (MessageContent as unknown as { anyOf: object[] }).anyOf

const isObject = (value: unknown) => typeof value === 'object'

/** The messages of people, and those that the hub sends; without coordinates as text, which stay text in the log. */
const { 'location as text': _, ...SENT } = EXAMPLES
const messages = [...Object.entries(INBOUND_TYPES), ...Object.entries<Record<string, unknown>>(SENT)].flatMap(
  ([name, message]) => {
    const type = String(message.type)
    return type in message ? [{ name, type: type as keyof typeof CONTENT_TYPES, content: message[type] }] : []
  },
)

function fits(schema: object, value: unknown): boolean {
  return ajv.validate(schema, value)
}

test('the content of a message fits a schema of its type', { rules: ['openapi.content-fits-its-schema'] }, () => {
  const types = new Set<string>()

  for (const { name, type, content } of messages.filter((message) => message.type in CONTENT_TYPES)) {
    const schemas: object[] = CONTENT_TYPES[type]
    types.add(type)
    assert.ok(
      schemas.some((schema) => fits(schema, content)),
      name,
    )
  }

  const withoutContent = ['request_welcome', 'unknown']
  assert.deepEqual([...types, ...withoutContent].sort(), Object.keys(CONTENT_TYPES).sort())
})

const byName = variants.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))

function nameOf(schema: object): string {
  return Object.entries(schemas).find(([, one]) => one === schema)?.[0] ?? ''
}

for (const [order, ordered] of Object.entries({
  'the order of the document': variants,
  'the order of names': byName,
})) {
  test(`in ${order}, the first schema that a content fits is one of its type, and any other value fits the last`, {
    rules: ['openapi.content-fits-its-schema'],
  }, () => {
    for (const { name, type, content } of messages.filter((message) => isObject(message.content))) {
      const first = ordered.find((variant) => fits(variant, content))
      const own: object[] = CONTENT_TYPES[type] ?? [UnknownContent]
      // It has only a type, as an answer to a form has.
      if (type !== 'unsupported') assert.ok(first && own.includes(first), `${name} ${JSON.stringify(first)}`)
    }
    assert.equal(ordered.at(-1), UnknownContent)
  })
}
