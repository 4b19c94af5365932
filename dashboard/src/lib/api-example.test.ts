import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import fc from 'fast-check'
import { openPage } from '../../test/location.ts'
import { writeCurl, writeProgram } from './api-example.ts'

const ORIGIN = 'https://hub.example'

/** The words that a shell passes to curl. */
function readWords(command: string): string[] {
  const shell = `curl() { printf '%s\\0' "$@"; }\ndate() { echo 1794762514; }\n${command}`
  const env = { ...process.env, HUBLINE_KEY: 'hub_key' }
  return execFileSync('sh', ['-c', shell], { encoding: 'utf8', env }).split('\0').slice(0, -1)
}

const AUTHORIZATION = ['-H', 'Authorization: Bearer hub_key']

test('a request without a body is a command line that works as it stands', (t) => {
  openPage(t, ORIGIN)
  const words = readWords(writeCurl({ method: 'GET', path: '/api/v1/channels?status=active&limit=50' }))

  assert.deepEqual(words, ['-X', 'GET', `${ORIGIN}/api/v1/channels?status=active&limit=50`, ...AUTHORIZATION])
})

test('a shell passes on a body with any text as it is', (t) => {
  openPage(t, ORIGIN)
  fc.assert(
    fc.property(
      fc.string().filter((text) => !text.includes('\0')),
      (text) => {
        const words = readWords(writeCurl({ method: 'PATCH', path: '/api/v1/channels/1', body: { name: text } }))
        assert.deepEqual(words.slice(3), [
          ...AUTHORIZATION,
          '-H',
          'Content-Type: application/json',
          '-d',
          JSON.stringify({ name: text }),
        ])
      },
    ),
    { numRuns: 30, examples: [["d'Ouro $(echo run) `date` \\ \n"]] },
  )
})

test('a command line that sends a message has an Idempotency-Key, and other requests have none', (t) => {
  openPage(t, ORIGIN)
  const send = readWords(writeCurl({ method: 'POST', path: '/api/v1/channels/1/messages', body: {} }))
  const list = readWords(writeCurl({ method: 'GET', path: '/api/v1/channels/1/messages' }))
  const other = readWords(writeCurl({ method: 'POST', path: '/api/v1/webhooks', body: {} }))

  assert.ok(send.includes('Idempotency-Key: send-1794762514'))
  for (const words of [list, other]) assert.ok(!words.some((word) => word.startsWith('Idempotency-Key')))
})

test('a program names this hub', (t) => {
  openPage(t, ORIGIN)
  assert.equal(
    writeProgram('console.log(await hub.channels.list().toArray())'),
    [
      "import { Hub } from '@hubline/sdk'",
      '',
      "const hub = new Hub({ url: 'https://hub.example', credential: process.env.HUBLINE_KEY })",
      'console.log(await hub.channels.list().toArray())',
    ].join('\n'),
  )
})
