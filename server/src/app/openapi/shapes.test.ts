import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeWhole } from '../../../test/api-document.ts'
import { EXACTLY_ONE, FALLBACK, simplify } from './simplify.ts'

type Node = Record<string, unknown>
type Schema = Node & { type?: unknown; oneOf?: Schema[]; anyOf?: Schema[]; properties?: Record<string, Schema> }
type Document = { paths: Record<string, Record<string, Node>>; components: { schemas: Record<string, Schema> } }

const document = await describeWhole<Document>()
const { schemas } = document.components
const operationIds = Object.values(document.paths).flatMap((methods) =>
  Object.values(methods).map(({ operationId }) => String(operationId)),
)

/** The places in the document whose value has a fault, without the examples, which are values of clients. */
function findPlaces(isFault: (node: Schema, place: string) => boolean): string[] {
  const places: string[] = []
  function walk(value: unknown, place: string): void {
    if (typeof value !== 'object' || value === null) return
    if (isFault(value as Schema, place)) places.push(place)
    for (const [key, member] of Object.entries(value)) if (!/^examples?$/.test(key)) walk(member, `${place}/${key}`)
  }
  walk(document, '')
  return places
}

function isNull({ type }: Schema): boolean {
  return type === 'null'
}

function isReference(schema: Schema): boolean {
  return typeof schema.$ref === 'string'
}

function resolve({ $ref }: Schema): Schema | undefined {
  return schemas[String($ref).replace('#/components/schemas/', '')]
}

test('a union has no members beside it', { rules: ['openapi.unions-have-named-variants'] }, () => {
  const places = findPlaces(({ oneOf, anyOf, properties, type }) => Boolean((oneOf ?? anyOf) && (properties ?? type)))

  assert.deepEqual(places, [])
})

test('each variant of a union has a name, and each union of several has one itself', {
  rules: ['openapi.unions-have-named-variants'],
}, () => {
  const places = findPlaces(({ oneOf, anyOf }, place) => {
    const variants = (oneOf ?? anyOf ?? []).filter((variant) => !isNull(variant))
    return variants.length > 1 && !(variants.every(isReference) && /^\/components\/schemas\/\w+$/.test(place))
  })

  assert.deepEqual(places, [])
})

test('a closed union is decided by a member, and an open one ends with its fallback', {
  rules: ['openapi.message-types-have-schemas'],
}, () => {
  const unions = Object.values(schemas).filter(
    ({ oneOf, anyOf = [] }) => oneOf ?? anyOf.some((one) => resolve(one)?.[FALLBACK]),
  )

  assert.ok(unions.length >= 6)
  for (const { oneOf, anyOf = [], discriminator } of unions) {
    const { mapping = {} } = (discriminator ?? {}) as { mapping?: Record<string, string> }
    const last = anyOf.at(-1)
    if (oneOf) assert.deepEqual(new Set(Object.values(mapping)), new Set(oneOf.map(({ $ref }) => $ref)))
    else assert.equal(last && resolve(last)?.[FALLBACK], true)
  }
})

test('each type of message has a schema and a named object of its own', {
  rules: ['openapi.message-types-have-schemas'],
}, () => {
  const variants = (schemas.MessageBody?.oneOf ?? []).map((variant) => resolve(variant)?.properties ?? {})

  assert.ok(variants.length >= 11)
  for (const properties of variants) {
    const type = String(properties.type?.const)
    const content = properties[type] ?? {}
    assert.deepEqual(Object.keys(properties).sort(), ['to', 'type', type].sort())
    assert.ok(isReference(content) || isReference((content.items ?? {}) as Schema), type)
  }
})

test('a member has one type, and null is an alternative beside it', {
  rules: ['openapi.members-have-one-type'],
}, () => {
  const several = findPlaces(({ type }) => Array.isArray(type))
  const nulls = findPlaces((node) => isNull(node)).filter((place) => !/\/anyOf\/1$/.test(place))

  assert.deepEqual([...several, ...nulls], [])
})

test('no schema has a keyword that generators do not take', { rules: ['openapi.members-have-one-type'] }, () => {
  const places = findPlaces(
    (node, place) =>
      ['if', 'then', 'else', 'not', 'allOf', 'patternProperties', 'dependentRequired', 'prefixItems'].some(
        (keyword) => typeof node[keyword] === 'object' && !place.endsWith('/properties'),
      ) ||
      (typeof node.title === 'string' && place !== '/info'),
  )

  assert.deepEqual(places, [])
})

test('no name is that of another class of a generated client', {
  rules: ['openapi.names-are-safe-for-generators'],
}, () => {
  const names = Object.keys(schemas)
  const taken = new Set([
    // Constructors and wrappers that clients in Go have for each schema.
    ...names.flatMap((name) => [`New${name}`, `New${name}WithDefaults`, `Nullable${name}`, `NewNullable${name}`]),
    // Requests, responses and parameters of each operation.
    ...operationIds.flatMap((id) => {
      const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}`
      return ['Request', 'Response', 'Params', 'Body', 'JSONBody', 'JSONRequestBody', '200Response'].map(
        (kind) => name + kind,
      )
    }),
  ])

  assert.deepEqual(
    names.filter((name) => taken.has(name)),
    [],
  )
  assert.equal(new Set(names.map((name) => name.toLowerCase())).size, names.length)
  for (const name of names) assert.match(name, /^[A-Z][A-Za-z0-9]+$/)
})

test('keywords that a generated client cannot express are left out of a schema', () => {
  const text = { type: 'string' }
  const choice = { type: 'object', properties: { a: text, b: text }, oneOf: [{ required: ['a'] }, { required: ['b'] }] }

  assert.deepEqual(simplify(choice), { type: 'object', properties: { a: text, b: text }, [EXACTLY_ONE]: ['a', 'b'] })
  assert.deepEqual(simplify({ type: ['number', 'string'], minimum: 0, maximum: 9, pattern: 'x' }), {
    type: 'number',
    minimum: 0,
    maximum: 9,
  })
  assert.deepEqual(simplify({ type: ['string', 'integer'], pattern: 'x' }), { type: 'string', pattern: 'x' })
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON schema
  assert.deepEqual(simplify({ type: 'array', if: { minItems: 2 }, then: {} }), { type: 'array' })
  assert.deepEqual(simplify({ properties: { a: text, b: { not: {} } } }), { properties: { a: text } })
  assert.deepEqual(simplify({ '*/*': { schema: text } }), { 'application/octet-stream': { schema: text } })
})
