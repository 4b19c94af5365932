import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyHash } from './body-hash.ts'

const hash = (json: string) => bodyHash(JSON.parse(json)).toString('hex')

/** Texts of one body. */
const SAME: [string, string][] = [
  ['{"a":1,"b":2}', '{"b":2,"a":1}'],
  ['{"a":{"x":1,"y":[{"p":1,"q":2}]}}', ' { "a" : { "y" : [ { "q" : 2 , "p" : 1 } ] , "x" : 1 } } '],
  ['{"b":1,"10":2,"9":3}', '{"9":3,"10":2,"b":1}'],
  ['{"a":"ã"}', '{"a":"\\u00e3"}'],
  ['{"a":1.0}', '{"a":1}'],
]

/** Texts that say different things. */
const DIFFERENT: [string, string][] = [
  ['{"a":1}', '{"a":"1"}'],
  ['{"a":1}', '{"a":1,"b":null}'],
  ['{"a":[1,2]}', '{"a":[2,1]}'],
  ['{"a":[]}', '{"a":{}}'],
  ['{"a":null}', '{"a":"null"}'],
  ['{"a":{"b":1}}', '{"a":{},"b":1}'],
  ['{"a":"1,\\"b\\":2"}', '{"a":"1","b":2}'],
  ['{"a":"x"}', '{"a":"x "}'],
  ['{"a":"e\\u0301"}', '{"a":"\\u00e9"}'],
]

test('two texts of one body have one hash: the order of members and the white space between them say nothing', () => {
  for (const [a, b] of SAME) assert.equal(hash(a), hash(b), `${a} and ${b}`)
})

test('two bodies have two hashes, however alike they look', () => {
  for (const [a, b] of DIFFERENT) assert.notEqual(hash(a), hash(b), `${a} and ${b}`)
})

test('a body is not changed by being hashed', () => {
  const body = JSON.parse('{"b":{"z":1,"a":2},"a":[3]}')

  bodyHash(body)

  assert.equal(JSON.stringify(body), '{"b":{"z":1,"a":2},"a":[3]}')
})
