import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Document, Schema } from './document.ts'
import { toType } from './schema-types.ts'

const TEXT = { type: 'string' }
const document: Document = {
  paths: {},
  webhooks: {},
  components: {
    schemas: {
      Named: { type: 'object', properties: { id: TEXT, kind: { const: 'a' } } },
      Other: { type: 'object', properties: { kind: TEXT }, 'x-fallback': true },
    },
  },
}

const TYPES: [string, Schema, string][] = [
  ['a scalar', { type: 'integer' }, 'number'],
  ['several scalars', { type: ['string', 'null'] }, 'string | null'],
  ['a constant', { type: 'string', const: 'a' }, '"a"'],
  ['an enumeration', { enum: ['a', null, 1] }, '"a" | null | 1'],
  ['anything', {}, 'unknown'],
  ['a reference', { $ref: '#/components/schemas/Named' }, 'Named'],
  ['a file', { type: 'string', format: 'binary' }, 'FileInput'],
  ['a list of alternatives', { type: 'array', items: { anyOf: [TEXT, { type: 'null' }] } }, '(string | null)[]'],
  [
    'required and optional members',
    { properties: { a: TEXT, 'b-c': TEXT }, required: ['a'] },
    '{a: string "b-c"?: string}',
  ],
  [
    'a member with a comment',
    { properties: { a: { ...TEXT, description: 'Why */ not' } } },
    '{/** Why *\\/ not */ a?: string}',
  ],
  [
    'an open object',
    { type: 'object', properties: { a: TEXT }, additionalProperties: true },
    '{a?: string [name: string]: unknown}',
  ],
  ['an object of one type', { type: 'object', additionalProperties: { type: 'number' } }, '{[name: string]: number}'],
  [
    'one of two members',
    { type: 'object', properties: { id: TEXT, link: TEXT }, 'x-exactly-one-of': ['id', 'link'] },
    '{id: string link?: never} | {id?: never link: string}',
  ],
  [
    'known types beside any other type',
    { anyOf: [{ $ref: '#/components/schemas/Named' }, { $ref: '#/components/schemas/Other' }] },
    'Named',
  ],
]

for (const [title, schema, expected] of TYPES) {
  test(`a type is written for ${title}`, () => {
    const written = toType(document, schema).replaceAll(/\s+/g, ' ').replaceAll('{ ', '{').replaceAll(' }', '}')

    assert.equal(written, expected)
  })
}

test('a type that the generator does not know stops it', () => {
  assert.throws(() => toType(document, { type: 'decimal' }), /does not know the type decimal/)
})
