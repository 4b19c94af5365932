import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from './query.ts'

const KNOWN = ['fields', 'limit']

test('known parameters are read, decoded once', () => {
  assert.deepEqual(parseQuery('fields=a%2Cb&limit=2%2525', KNOWN), { fields: 'a,b', limit: '2%25' })
  assert.deepEqual(parseQuery('', KNOWN), {})
})

for (const search of [
  ...['fields=a&fields=b', 'fields=a&limit=1&fields=a', 'fields=a&field%73=b', 'fields=&fields='],
  ...['Fields=a', 'fields[]=a', 'method=delete', 'appsecret_proof=x', '=a', 'constructor=1', '__proto__=1', 'a'],
]) {
  test(`the query ${search} is refused, and names the parameter`, () => {
    assert.throws(() => parseQuery(search, KNOWN), { code: 'INVALID_REQUEST', message: /The query is invalid: / })
  })
}
