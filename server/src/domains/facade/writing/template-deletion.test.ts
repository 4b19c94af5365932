import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseExact } from '../../../kernel/json/exact.ts'
import type { JsonObject } from '../../../kernel/json/values.ts'
import { parseTemplateDeletion } from './template-deletion.ts'

const ID = '90071992547409931234'

for (const [query, body] of [
  [{ name: 'hello', hsm_id: ID }, '{}'],
  [{}, `{"name":"hello","hsm_id":"${ID}"}`],
  [{}, `{"name":"hello","hsm_id":${ID}}`],
  [{ name: 'hello' }, `{"hsm_id":"${ID}"}`],
  [{ name: 'hello', hsm_id: ID }, `{"name":"hello","hsm_id":${ID}}`],
] as [Record<string, string>, string][]) {
  test(`a deletion is read from the query ${JSON.stringify(query)} and the body ${body}`, () => {
    assert.deepEqual(parseTemplateDeletion(query, parseExact(body) as JsonObject), { name: 'hello', hsm_id: ID })
  })
}

test('without an id it is the name alone', () => {
  assert.deepEqual(parseTemplateDeletion({ name: 'hello' }, {}), { name: 'hello' })
})

for (const id of ['abc', '', '12a', '-1', '1.0', '1,2', ' 1', '1e5', '１', '1'.repeat(33)]) {
  test(`the id ${JSON.stringify(id)} is not digits only`, () => {
    assert.throws(() => parseTemplateDeletion({ hsm_id: id, name: 'hello' }, {}), { code: 'INVALID_TEMPLATE_ID' })
  })
}

for (const id of ['1.0', '-1', '1e5', 'true', '["1"]', '{}', 'null']) {
  test(`the id ${id} in a body is not digits only`, () => {
    const body = parseExact(`{"name":"hello","hsm_id":${id}}`) as JsonObject

    assert.throws(() => parseTemplateDeletion({}, body), { code: 'INVALID_TEMPLATE_ID' })
  })
}

for (const [query, body] of [
  [{}, '{}'],
  [{ name: '' }, '{}'],
  [{ hsm_id: '1' }, '{}'],
  [{}, '{"name":5}'],
  [{}, '{"name":["a"]}'],
  [{ name: 'a' }, '{"name":"b"}'],
  [{ name: 'a', hsm_id: '1' }, '{"hsm_id":"2"}'],
  [{ name: 'a' }, '{"hsm_ids":["1"]}'],
  [{ name: 'a' }, '{"access_token":"x"}'],
] as [Record<string, string>, string][]) {
  test(`a deletion from the query ${JSON.stringify(query)} and the body ${body} is refused`, () => {
    assert.throws(() => parseTemplateDeletion(query, parseExact(body) as JsonObject), { code: 'INVALID_REQUEST' })
  })
}
