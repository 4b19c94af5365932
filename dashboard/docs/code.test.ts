import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCode, splitCode } from './code.ts'

const NONE = () => undefined

test('the places of the hub, the channel and its number are there to be filled', () => {
  const text = 'curl http://localhost:8080/api/v1/channels/<channel id>/messages # <phone_number_id>, <waba_id>'

  assert.deepEqual(splitCode(text, 'sh'), [
    'curl ',
    { value: 'origin' },
    '/api/v1/channels/',
    { value: 'channel' },
    '/messages ',
    { token: 'comment', text: '# ' },
    { value: 'phone' },
    { token: 'comment', text: ', ' },
    { value: 'waba' },
  ])
})

test('a key, another id and the values of a number that is being connected stay as they are', () => {
  assert.deepEqual(splitCode('echo <api_key> $HUBLINE_KEY /webhooks/<id>', 'sh'), [
    'echo <api_key> $HUBLINE_KEY /webhooks/<id>',
  ])
  assert.deepEqual(splitCode('x <access_token> <waba_id> <phone_number_id>', 'txt'), [
    'x <access_token> <waba_id> <phone_number_id>',
  ])
})

test('names and values of JSON are told apart, alone and as the body of a command', () => {
  const json = [
    { token: 'name', text: '"to"' },
    ': ',
    { token: 'text', text: '"551"' },
    ', ',
    { token: 'name', text: '"n"' },
    ': ',
    { token: 'literal', text: '12' },
  ]

  assert.deepEqual(splitCode('"to": "551", "n": 12', 'json'), withColons(json))
  assert.deepEqual(splitCode(`curl -H "a: b" -d '{"n": true}'`, 'sh'), [
    'curl -H "a: b" ',
    "-d '{",
    { token: 'name', text: '"n"' },
    ':',
    ' ',
    { token: 'literal', text: 'true' },
    "}'",
  ])
})

/** The colon and the space behind it are two pieces. */
function withColons(parts: unknown[]): unknown[] {
  return parts.flatMap((part) => (part === ': ' ? [':', ' '] : [part]))
}

test('a call of curl names its operation, by the method that curl would use', () => {
  const asked: string[] = []
  const remember = (code: string) => void asked.push(code)

  readCode('curl -s "http://localhost:8080/api/v1/usage?since=1" -H "a: b"', 'sh', remember)
  readCode(`curl http://localhost:8080/api/v1/webhooks \\\n  -d '{}'`, 'sh', remember)
  readCode('curl -X DELETE http://localhost:8080/api/v1/channels/<id del canal>', 'sh', remember)
  readCode('curl https://example.com/api/v1/usage', 'sh', remember)
  readCode('curl http://localhost:8080/api/v1/usage', 'js', remember)

  assert.deepEqual(asked, ['GET /api/v1/usage', 'POST /api/v1/webhooks', 'DELETE /api/v1/channels/<id del canal>'])
  assert.equal(readCode('curl http://localhost:8080/x', 'sh', NONE).operation, undefined)
})

test('the options of a long command stand on lines of their own', () => {
  const [{ parts }, short] = [
    readCode(
      `curl -s https://example.com -H "Authorization: Bearer $HUBLINE_KEY" -H 'Content-Type: a' -d '{}'`,
      'sh',
      NONE,
    ),
    readCode("curl -s https://example.com -H 'a: b'", 'sh', NONE),
  ]

  assert.deepEqual(parts, [
    'curl -s https://example.com \\\n  -H "Authorization: Bearer $HUBLINE_KEY" \\\n  -H \'Content-Type: a\' \\\n  ',
    "-d '{}'",
  ])
  assert.deepEqual(short.parts, ["curl -s https://example.com -H 'a: b'"])
})
