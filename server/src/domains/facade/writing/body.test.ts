import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseBody } from './body.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const FORM_TYPE = 'application/x-www-form-urlencoded'

function parse(text: string | Buffer, contentType: string | undefined = JSON_TYPE): string {
  return JSON.stringify(parseBody({ bytes: Buffer.from(text), contentType, isPresent: true }))
}

test('JSON is passed on as it was sent, numbers of any length too', () => {
  const text = '{"to":5511999990000,"catalog":90071992547409931234,"price":1.10,"text":{"body":"é\\n"}}'

  assert.equal(parse(text), text)
})

test('of a member that stands there twice, one goes on: the last', () => {
  assert.equal(parse('{"to":"1","to":"2"}'), '{"to":"2"}')
})

test('a form is the same as JSON, with objects and lists written as JSON in it', () => {
  const form = 'to=%2B55+11&type=text&text=%7B%22body%22%3A%22x%22%2C%22n%22%3A90071992547409931234%7D&ids=%5B1%5D'

  assert.equal(
    parse(form, FORM_TYPE),
    '{"to":"+55 11","type":"text","text":{"body":"x","n":90071992547409931234},"ids":[1]}',
  )
})

test('no body, or an empty one, has no members', () => {
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

test('bytes that are not UTF-8 are refused, and a byte order mark is none of the text', () => {
  assert.throws(() => parse(Buffer.from('7b2261223a22ff227d', 'hex')), { code: 'INVALID_REQUEST' })
  assert.equal(parse('\ufeff{"a":1}'), '{"a":1}')
})

for (const contentType of ['text/plain', 'multipart/form-data; boundary=x', 'application/jsonp', undefined]) {
  test(`a body of type ${contentType} is 415`, () => {
    const body = { bytes: undefined, contentType, isPresent: true }

    assert.throws(() => parseBody(body), { code: 'UNSUPPORTED_MEDIA_TYPE' })
  })
}
