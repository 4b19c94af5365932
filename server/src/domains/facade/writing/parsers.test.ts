import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseExact } from '../../../kernel/json/exact.ts'
import type { JsonObject } from '../../../kernel/json/values.ts'
import { parseBody } from './body.ts'
import { parseCallAction } from './call-action.ts'
import { parseTemplateDeletion } from './template-deletion.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const FORM_TYPE = 'application/x-www-form-urlencoded'

function parse(text: string | Buffer, contentType: string | undefined = JSON_TYPE): string {
  return JSON.stringify(parseBody({ bytes: Buffer.from(text), contentType, isPresent: true }))
}

test('JSON is forwarded as it was sent, with the digits of long numbers', () => {
  const text = '{"to":5511999990000,"catalog":90071992547409931234,"price":1.10,"text":{"body":"é\\n"}}'

  assert.equal(parse(text), text)
})

test('the last of duplicate members is forwarded', () => {
  assert.equal(parse('{"to":"1","to":"2"}'), '{"to":"2"}')
})

test('a form is parsed like JSON, with objects and lists as JSON in its fields', () => {
  const form = 'to=%2B55+11&type=text&text=%7B%22body%22%3A%22x%22%2C%22n%22%3A90071992547409931234%7D&ids=%5B1%5D'

  assert.equal(
    parse(form, FORM_TYPE),
    '{"to":"+55 11","type":"text","text":{"body":"x","n":90071992547409931234},"ids":[1]}',
  )
})

test('a form of very many fields or values is refused before they are parsed', () => {
  const fields = Array.from({ length: 1001 }, (_, i) => `f${i}=[]`).join('&')
  const values = Array.from({ length: 20 }, (_, i) => `f${i}=[${'1,'.repeat(1500)}1]`).join('&')

  assert.throws(() => parse(fields, FORM_TYPE), /more than 1000 fields/)
  assert.throws(() => parse('a=[]&'.repeat(200_000), FORM_TYPE), /more than 1000 fields/)
  assert.throws(() => parse(values, FORM_TYPE), /more than 20000 values/)
})

test('a missing or empty body has no members', () => {
  assert.deepEqual(parseBody({ bytes: undefined, contentType: undefined, isPresent: false }), {})
  assert.deepEqual(parseBody({ bytes: Buffer.alloc(0), contentType: JSON_TYPE, isPresent: true }), {})
})

for (const text of ['[]', '"x"', '5', 'null', '{', '{"a":"\\u0000"}', '{"__proto__":{}}', '{"a":"\\ud800"}']) {
  test(`the JSON ${text} is refused`, () => {
    assert.throws(() => parse(text), { code: 'INVALID_REQUEST' })
  })
}

for (const form of ['a=1&a=2', 'a=%7B', 'a=%00', '__proto__=%7B%7D', 'a=%7B%22__proto__%22%3A1%7D']) {
  test(`the form ${form} is refused`, () => {
    assert.throws(() => parse(form, FORM_TYPE), { code: 'INVALID_REQUEST' })
  })
}

test('bytes that are not UTF-8 are refused, and a byte order mark is skipped', () => {
  assert.throws(() => parse(Buffer.from('7b2261223a22ff227d', 'hex')), { code: 'INVALID_REQUEST' })
  assert.equal(parse('\ufeff{"a":1}'), '{"a":1}')
})

for (const contentType of ['text/plain', 'multipart/form-data; boundary=x', 'application/jsonp', undefined]) {
  test(`a body of type ${contentType} is 415`, () => {
    const body = { bytes: undefined, contentType, isPresent: true }

    assert.throws(() => parseBody(body), { code: 'UNSUPPORTED_MEDIA_TYPE' })
  })
}

const CALL = { messaging_product: 'whatsapp', call_id: 'wacid.ABC', action: 'reject' }

for (const action of ['reject', 'terminate']) {
  test(`${action} ends a call, and only three members are forwarded`, () => {
    const body = { ...CALL, action, session: { sdp: 'v=0' }, to: '1', biz_opaque_callback_data: 'x' }

    assert.deepEqual(parseCallAction(body), { ...CALL, action })
  })
}

for (const change of [
  { action: 'accept' },
  { action: 'pre_accept' },
  { action: 'connect' },
  { action: 'REJECT' },
  { action: ['reject'] },
  { action: undefined },
  { call_id: undefined },
  { call_id: '' },
  { call_id: 5 },
  { call_id: 'x'.repeat(513) },
  { messaging_product: undefined },
  { messaging_product: 'facebook' },
]) {
  test(`a call action with ${JSON.stringify(change).slice(0, 40)} is INVALID_CALL`, () => {
    assert.throws(() => parseCallAction({ ...CALL, ...change }), { code: 'INVALID_CALL' })
  })
}

const TEMPLATE_ID = '90071992547409931234'

for (const [query, body] of [
  [{ name: 'hello', hsm_id: TEMPLATE_ID }, '{}'],
  [{}, `{"name":"hello","hsm_id":"${TEMPLATE_ID}"}`],
  [{}, `{"name":"hello","hsm_id":${TEMPLATE_ID}}`],
  [{ name: 'hello' }, `{"hsm_id":"${TEMPLATE_ID}"}`],
  [{ name: 'hello', hsm_id: TEMPLATE_ID }, `{"name":"hello","hsm_id":${TEMPLATE_ID}}`],
] as [Record<string, string>, string][]) {
  test(`a deletion is read from the query ${JSON.stringify(query)} and the body ${body}`, () => {
    assert.deepEqual(parseTemplateDeletion(query, parseExact(body) as JsonObject), {
      name: 'hello',
      hsm_id: TEMPLATE_ID,
    })
  })
}

test('a deletion without an id has the name only', () => {
  assert.deepEqual(parseTemplateDeletion({ name: 'hello' }, {}), { name: 'hello' })
})

for (const id of ['abc', '', '12a', '-1', '1.0', '1,2', ' 1', '1e5', '１', '1'.repeat(33)]) {
  test(`the template id ${JSON.stringify(id)} in the query is refused`, () => {
    assert.throws(() => parseTemplateDeletion({ hsm_id: id, name: 'hello' }, {}), { code: 'INVALID_TEMPLATE_ID' })
  })
}

for (const id of ['1.0', '-1', '1e5', 'true', '["1"]', '{}', 'null']) {
  test(`the template id ${id} in the body is refused`, () => {
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
