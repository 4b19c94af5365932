import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import fc from 'fast-check'
import { countBytes, decodeBase64, prettify, writeDeliveryCurl, writeHeaders } from './request-text.ts'

function encode(text: string): string {
  return Buffer.from(text).toString('base64')
}

test('a body is read as the text that it was, to the last sign', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.equal(decodeBase64(encode(text)), text)
      assert.equal(countBytes(encode(text)), Buffer.byteLength(text))
    }),
    { examples: [['\ufeff{"event":"webhook.test"}']] },
  )
})

test('bytes that are no text have a size and no text', () => {
  const base64 = Buffer.from([0x7b, 0xff, 0xfe]).toString('base64')

  assert.equal(decodeBase64(base64), undefined)
  assert.equal(countBytes(base64), 3)
})

test('JSON gets its lines, and any other text stays as it is', () => {
  assert.equal(prettify('{"a":[1]}'), '{\n  "a": [\n    1\n  ]\n}')
  for (const text of ['', 'OK', '<html>', '{"a":']) assert.equal(prettify(text), text)
})

test('headers stand one a line', () => {
  assert.equal(
    writeHeaders({ 'X-Hub-Event': 'webhook.test', 'X-Hub-Attempt': 2 }),
    'X-Hub-Event: webhook.test\nX-Hub-Attempt: 2',
  )
})

test('a shell passes on the request as it was signed, without the headers that belong to a connection', () => {
  const body = `{"text":"d'Ouro $(echo run) \\\\ \`date\`"}`
  const headers = {
    Host: 'shop.example',
    'Content-Length': '9',
    'content-type': 'application/json',
    'X-Hub-Signature-256': "sha256='0'",
    connection: 'keep-alive',
    'Accept-Encoding': 'gzip',
  }

  const command = writeDeliveryCurl("https://shop.example/hooks?a=1&b='2'", headers, body)
  const shell = `curl() { printf '%s\\n' "$@"; }\n${command}`
  const words = execFileSync('sh', ['-c', shell], { encoding: 'utf8' }).trimEnd().split('\n')

  assert.deepEqual(words, [
    ...['-X', 'POST', "https://shop.example/hooks?a=1&b='2'"],
    ...['-H', 'content-type: application/json', '-H', "X-Hub-Signature-256: sha256='0'"],
    ...['--data-binary', body],
  ])
})
