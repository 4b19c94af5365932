import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Reply, startReceiver } from '../../server/test/receiver.ts'
import { EXIT } from '../src/exit-codes.ts'
import { newConfigDirectory, run, start } from './program.ts'

const GUIDE = join(import.meta.dirname, '../../docs/guides/cli.md')
const SEND = ['send', '019a0000-0000-7000-8000-000000000001', '5511987654321', 'Olá']

function refuse(status: number, code: string): Reply {
  const headers = { 'content-type': 'application/json', 'retry-after': '3600' }
  const body = JSON.stringify({ error: { code, message: 'Because.', request_id: 'r-1', details: null } })
  return { status, headers, body }
}

const ENDS: [string, string[], Reply, number][] = [
  ['a result', ['channels'], { status: 200, body: '{"data":{"channels":[]}}' }, EXIT.ok],
  ['a refusal', ['channels'], refuse(403, 'QUOTA_EXCEEDED'), EXIT.refused],
  ['an unknown key', ['channels'], refuse(401, 'UNAUTHORIZED'), EXIT.credential],
  ['a missing scope', ['channels'], refuse(403, 'INSUFFICIENT_SCOPE'), EXIT.credential],
  ['a missing resource', ['channels', SEND[1] ?? ''], refuse(404, 'NOT_FOUND'), EXIT.notFound],
  ['a failing hub', ['channels'], refuse(500, 'INTERNAL_ERROR'), EXIT.unavailable],
  ["a proxy's page", ['keys', 'revoke', 'x'], { status: 502, body: '<html>' }, EXIT.unavailable],
  ['an unknown result', SEND, refuse(409, 'SEND_RESULT_UNKNOWN'), EXIT.unknownResult],
  ['a send in progress', SEND, refuse(409, 'OPERATION_IN_PROGRESS'), EXIT.unknownResult],
  ['a limit', ['channels'], refuse(429, 'RATE_LIMITED'), EXIT.rateLimited],
]

test('each way to end has the exit code of the guide', { rules: ['cli.exit-codes-name-the-failure'] }, async (t) => {
  const hub = await startReceiver(t)
  const env = { HUBLINE_CONFIG_DIR: await newConfigDirectory(t), HUBLINE_URL: hub.url, HUBLINE_KEY: 'hub_pk_x' }

  for (const [title, args, reply, expected] of ENDS) {
    hub.answer(() => reply)
    const { code, stderr } = await run(args, env)
    assert.equal(code, expected, `${title}: ${stderr}`)
  }

  const listed = [...readFileSync(GUIDE, 'utf8').matchAll(/^\| (\d+) \| /gm)].map(([, code]) => Number(code))
  assert.deepEqual(listed, [...Object.values(EXIT), 130])
})

test('the issue of an invalid request is printed once, and further ones below it', async (t) => {
  const hub = await startReceiver(t)
  const env = { HUBLINE_CONFIG_DIR: await newConfigDirectory(t), HUBLINE_URL: hub.url, HUBLINE_KEY: 'hub_pk_x' }
  const issues = [
    { path: '/to', message: 'must be a phone number' },
    { path: '/type', message: 'is required' },
  ]
  const answer = (count: number) => {
    const details = { issues: issues.slice(0, count) }
    const message = 'The body is invalid: /to must be a phone number.'
    const body = JSON.stringify({ error: { code: 'INVALID_REQUEST', message, request_id: 'r-1', details } })
    hub.answer(() => ({ status: 400, headers: { 'content-type': 'application/json' }, body }))
  }

  answer(1)
  const one = await run(SEND, env)
  answer(2)
  const two = await run(SEND, env)

  const head = 'Error: The body is invalid: /to must be a phone number.\n'
  assert.equal(one.stderr, `${head}INVALID_REQUEST, request r-1\n`)
  assert.equal(two.stderr, `${head}  /type is required\nINVALID_REQUEST, request r-1\n`)
})

test('Ctrl-C ends a command that waits for the hub at once, with 130', {
  rules: ['cli.exit-codes-name-the-failure'],
}, async (t) => {
  const hub = await startReceiver(t)
  const env = { HUBLINE_CONFIG_DIR: await newConfigDirectory(t), HUBLINE_URL: hub.url, HUBLINE_KEY: 'hub_pk_x' }
  hub.hold()
  const program = start(t, ['channels'], env)
  await hub.until(1)

  assert.equal(await program.end('SIGINT'), 130)
  assert.equal(hub.received.length, 1)
})

const KEYS: [string, Record<string, string>, string[]][] = [
  ['a key with a line end', { HUBLINE_KEY: 'hub_pk_secret\nX-Injected: 1' }, ['channels']],
  ['a password in the address', { HUBLINE_URL: 'https://ana:secret@hub.example.com' }, ['channels']],
]

for (const [title, given, args] of KEYS) {
  test(`${title} is refused, and not shown`, async (t) => {
    const HUBLINE_CONFIG_DIR = await newConfigDirectory(t)

    const { code, stdout, stderr } = await run(args, { HUBLINE_CONFIG_DIR, HUBLINE_KEY: 'hub_pk_x', ...given })

    assert.ok(code === EXIT.usage || code === EXIT.credential, stderr)
    assert.doesNotMatch(stdout + stderr, /secret|bug in hubline/)
  })
}

test('an Idempotency-Key that no header can carry is refused before anything is sent', async (t) => {
  const hub = await startReceiver(t)
  const env = { HUBLINE_CONFIG_DIR: await newConfigDirectory(t), HUBLINE_URL: hub.url, HUBLINE_KEY: 'hub_pk_x' }

  for (const key of ['order-4711\nX-Injected: 1', 'short', 'pão-de-queijo-4711', `${'x'.repeat(201)}`]) {
    const { code, stderr } = await run([...SEND, '--key', key], env)
    assert.equal(code, EXIT.usage, stderr)
    assert.match(stderr, /--key must have 8 to 200 ASCII characters/)
  }
  assert.equal(hub.received.length, 0)
})
