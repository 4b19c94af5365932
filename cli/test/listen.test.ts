import assert from 'node:assert/strict'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { verifyWebhook } from '@hubline/sdk'

import { startHub } from '../../server/test/hub.ts'
import { freePort } from '../../server/test/journeys/processes.ts'
import { type Received, startReceiver } from '../../server/test/receiver.ts'
import { createPublisher } from './events.ts'
import { newConfigDirectory, start, startInTerminal } from './program.ts'

/** A hub, a local server, and an organization that publishes events. */
async function startListening(t: TestContext) {
  const [receiver, hub, HUBLINE_CONFIG_DIR] = [await startReceiver(t), await startHub(t), await newConfigDirectory(t)]
  const acme = await hub.organization()
  const env = { HUBLINE_CONFIG_DIR, HUBLINE_URL: hub.url, HUBLINE_KEY: acme.key }
  const args = (to = receiver.url) => ['listen', '--forward-to', to]
  /** The deliveries that the hub would send again. */
  const unacknowledged = async () =>
    await hub.sql`select id from listener_deliveries where organization_id = ${acme.organizationId}`
  return { hub, receiver, acme, env, args, unacknowledged, ...createPublisher(hub, acme) }
}

function readDeliveryId({ headers }: Received): string {
  return String(headers['x-hub-delivery-id'])
}

function readSecret(output: string): string {
  return /whsec_[\w-]+/.exec(output)?.[0] ?? ''
}

/** Until the database says so: the program acknowledges in its own time. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20))
}

test('listen posts deliveries that verify with the printed secret, and acknowledges them after any answer', {
  rules: ['cli.listen-posts-genuine-deliveries', 'cli.listen-any-answer-acknowledges'],
}, async (t) => {
  const { receiver, env, args, publish, unacknowledged } = await startListening(t)
  receiver.answer(({ body }) => (body.includes('phone.quality') ? 500 : 200))
  const program = start(t, args(`${receiver.url}/hook?x=1`), env)
  await program.prints(/Connected\. Forwarding to/)

  await publish({ kind: 'message.received', data: { text: 'olá 👋' } }, { kind: 'phone.quality' })
  await receiver.until(2)
  await until(async () => (await unacknowledged()).length === 0)
  const code = await program.end('SIGINT')

  for (const { path, headers, body } of receiver.received) {
    const event = await verifyWebhook(readSecret(program.stdout()), headers, body, { format: 'native' })
    assert.ok(['message.received', 'phone.quality'].includes(event.event ?? ''))
    assert.equal(path, '/hook?x=1')
  }
  assert.match(program.stdout(), /message\.received +\S+ +200 \d+ ms/)
  assert.match(program.stdout(), /phone\.quality +\S+ +500 \d+ ms/)
  assert.equal(code, 0)
  assert.equal((await stat(join(env.HUBLINE_CONFIG_DIR, 'listeners.json'))).mode & 0o777, 0o600)
})

test('deliveries wait for a local server that is down, and arrive once it is up', {
  rules: ['cli.listen-any-answer-acknowledges'],
}, async (t) => {
  const { env, args, publish, unacknowledged } = await startListening(t)
  const port = await freePort()
  const program = start(t, args(`localhost:${port}`), env)
  await program.prints(/Connected/)
  await publish({ kind: 'phone.quality' })
  await program.prints(/no answer \(ECONNREFUSED\), again in 1 s/)
  assert.equal((await unacknowledged()).length, 1)

  const arrived = new Promise<void>((resolve) => {
    const server: Server = createServer((_request, response) => {
      response.end()
      resolve()
    }).listen(port, 'localhost')
    t.after(() => server.close())
  })
  await arrived
  await until(async () => (await unacknowledged()).length === 0)
})

test('listen that is killed goes on with its listener: what was acknowledged does not come again, the rest does', {
  rules: ['cli.listen-repeats-only-unacknowledged'],
}, async (t) => {
  const { receiver, env, args, publish, unacknowledged } = await startListening(t)
  const first = start(t, args(), env)
  await first.prints(/Connected/)
  await publish({ kind: 'phone.quality' })
  await receiver.until(1)
  await until(async () => (await unacknowledged()).length === 0)
  receiver.hold()
  await publish({ kind: 'template.status' })
  await receiver.until(2)

  await first.end('SIGKILL')
  receiver.letGo()
  await publish({ kind: 'account.update' })
  const second = start(t, args(), env)
  await second.prints(/Going on with the former run/)
  await receiver.until(4)
  await until(async () => (await unacknowledged()).length === 0)

  const kinds = receiver.received.map(({ body }) => JSON.parse(body.toString()).event)
  assert.deepEqual(kinds.slice(0, 2), ['phone.quality', 'template.status'])
  assert.deepEqual(kinds.slice(2).toSorted(), ['account.update', 'template.status'])
  const [, held] = receiver.received
  assert.equal(receiver.received.filter((one) => readDeliveryId(one) === readDeliveryId(held!)).length, 2)
  assert.equal(readSecret(first.stdout()), readSecret(second.stdout()))
})

test('a key press replays a delivery with a new id and a valid signature, and q ends', {
  rules: ['cli.listen-replays-on-a-key-press'],
}, async (t) => {
  const { receiver, env, args, publish } = await startListening(t)
  const program = startInTerminal(t, args(), env)
  await program.prints(/Connected.*r replays, q ends/)
  await publish({ kind: 'phone.quality' })
  await program.prints(/phone\.quality.* ms/)

  program.type('r')
  await receiver.until(2)
  await program.prints(/replay.* ms/)
  program.type('q')

  assert.equal(await program.ended, 0, program.stdout())
  const [original, replayed] = receiver.received
  assert.deepEqual(original!.body, replayed!.body)
  assert.notEqual(readDeliveryId(original!), readDeliveryId(replayed!))
  await verifyWebhook(readSecret(program.stdout()), replayed!.headers, replayed!.body)
})

test('listen takes only the kinds that it is asked for, and prints JSON', async (t) => {
  const { receiver, env, args, publish } = await startListening(t)
  const program = start(t, [...args(), '--events', 'phone.quality', '--json'], env)
  await program.prints(/"type":"connected"/)

  await publish({ kind: 'template.status' }, { kind: 'phone.quality' })
  await program.prints(/"type":"forwarded"/)

  const lines = program
    .stdout()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const types = lines.map(({ type }) => type)
  assert.deepEqual(types, ['listener', 'connected', 'forwarded'])
  assert.deepEqual([lines[2].event, lines[2].is_replay], ['phone.quality', false])
  assert.equal(receiver.received.length, 1)
})

test('listen ends with 3 when its key is revoked', { rules: ['cli.listen-ends-with-its-key'] }, async (t) => {
  const { env, args, acme, publish } = await startListening(t)
  const scopes = ['webhooks:write', 'messages:read']
  const { api_key, secret } = (await acme.post('/api/v1/api-keys', { name: 'laptop', scopes })).body.data
  const program = start(t, args(), { ...env, HUBLINE_KEY: secret })
  await program.prints(/Connected/)

  await acme.post(`/api/v1/api-keys/${api_key.id}/revoke`)
  await publish({})

  assert.equal(await program.ended, 3)
  assert.match(program.stderr(), /The credential was revoked/)
})

test('a listener that is over is replaced by another one, with the same secret', {
  rules: ['cli.listen-begins-anew', 'cli.listen-keeps-its-secret'],
}, async (t) => {
  const { hub, receiver, acme, env, args, publish } = await startListening(t)
  const program = start(t, args(), env)
  await program.prints(/Connected/)
  const secret = readSecret(program.stdout())
  const [{ id } = { id: '' }] = await hub.sql<{ id: string }[]>`
    select id from listeners where organization_id = ${acme.organizationId}`
  await acme.delete(`/api/v1/listeners/${id}`, { headers: { 'x-hub-listener-secret': secret } })

  await program.prints(/The listener was deleted/)
  await program.prints(/Signing secret.*Signing secret.*Connected/s)
  await publish({ kind: 'phone.quality' })
  await receiver.until(1)

  assert.deepEqual([...new Set(program.stdout().match(/whsec_[\w-]+/g))], [secret])
  const [delivery] = receiver.received
  await verifyWebhook(secret, delivery!.headers, delivery!.body)
})

test('the secret of a target stays the same until --new-secret, in a file of the user alone', {
  rules: ['cli.listen-keeps-its-secret', 'cli.listen-secret-file-is-private'],
}, async (t) => {
  const { receiver, env, args } = await startListening(t)
  async function listenOnce(...more: string[]): Promise<string> {
    const program = start(t, [...args(), ...more], env)
    await program.prints(/Connected/)
    assert.equal(await program.end('SIGINT'), 0)
    return readSecret(program.stdout())
  }

  const first = await listenOnce()
  const anew = await listenOnce('--new')
  const otherTarget = await listenOnce('--forward-to', `${receiver.url}/other`)
  const replaced = await listenOnce('--new-secret')
  const last = await listenOnce()

  assert.match(first, /^whsec_[\w-]{43}$/)
  assert.deepEqual([anew, last], [first, replaced])
  assert.equal(new Set([first, otherTarget, replaced]).size, 3)
  const folder = join(env.HUBLINE_CONFIG_DIR, 'listen')
  const files = await readdir(folder)
  assert.deepEqual(
    files.map((name) => name.split('.').at(-1)),
    ['json', 'json'],
  )
  for (const name of files) assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600)
})

test('a server that refuses the signature at first gets the delivery again, with a hint at the secret', {
  rules: ['cli.listen-shows-a-refused-signature'],
}, async (t) => {
  const { receiver, env, args, publish, unacknowledged } = await startListening(t)
  receiver.answer(() => (receiver.received.length < 2 ? 401 : 204))
  const program = start(t, args(), env)
  await program.prints(/Connected/)
  const secret = readSecret(program.stdout())

  await publish({ kind: 'phone.quality' })
  await program.prints(new RegExp(`401 \\d+ ms +Does your server have the secret that ends in ${secret.slice(-4)}`))
  const open = (await unacknowledged()).length
  await program.prints(/ 204 \d+ ms/)
  await until(async () => (await unacknowledged()).length === 0)

  assert.equal(open, 1)
  const [refused, taken] = receiver.received
  assert.equal(readDeliveryId(refused!), readDeliveryId(taken!))
  await verifyWebhook(secret, taken!.headers, taken!.body)
})

test('a second listen for the same target ends with 1, and of several at once one goes on', {
  rules: ['cli.listen-runs-once-per-target'],
}, async (t) => {
  const { receiver, env, args } = await startListening(t)
  const first = start(t, args(), env)
  await first.prints(/Connected/)
  const refused = start(t, args(), env)
  const elsewhere = start(t, args(`${receiver.url}/other`), env)

  assert.equal(await refused.ended, 1)
  assert.match(refused.stderr(), new RegExp(`Another .hubline listen. forwards to .* process ${first.child.pid}\\.`))
  await elsewhere.prints(/Connected/)
  // One of the programs that try takes over what a killed program left.
  await first.end('SIGKILL')
  const programs = Array.from({ length: 4 }, () => start(t, args(), env))
  const ends = programs.map(async (program) => program.ended)
  const running = await Promise.all(programs.map((program) => program.prints(/Connected/).catch(() => undefined)))

  assert.equal(running.filter((output) => output !== undefined).length, 1)
  const codes = await Promise.all(ends.filter((_, index) => running[index] === undefined))
  assert.deepEqual(codes, [1, 1, 1])
})

test('a lock without a process id is taken over', { rules: ['cli.listen-runs-once-per-target'] }, async (t) => {
  const { env, args } = await startListening(t)
  const first = start(t, args(), env)
  await first.prints(/Connected/)
  const folder = join(env.HUBLINE_CONFIG_DIR, 'listen')
  const lock = (await readdir(folder)).find((name) => name.endsWith('.lock'))
  assert.equal(await first.end('SIGINT'), 0)

  for (const content of ['', 'x\n', '0\n', '-1\n']) {
    await writeFile(join(folder, lock!), content)
    const program = start(t, args(), env)
    await program.prints(/Connected/)
    assert.equal(await program.end('SIGINT'), 0, JSON.stringify(content))
  }
})

test('many deliveries that wait for a server print no warning of Node', {
  rules: ['cli.listen-prints-no-node-warning'],
}, async (t) => {
  const { env, args, publishMany } = await startListening(t)
  const program = start(t, args(`localhost:${await freePort()}`), env)
  await program.prints(/Connected/)

  await publishMany(40)
  await program.prints(/(?:[^\n]*no answer[^\n]*\n){40}/)
  await program.end('SIGINT')

  assert.doesNotMatch(program.stderr(), /Warning/)
})
