import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from '../../src/kernel/db/pool.ts'
import { createClient } from '../client.ts'
import { testDatabase } from '../database.ts'
import { bearer } from '../hub.ts'
import { createChannel } from '../hub-with-upstream.ts'
import { connectWithToken, startRelay } from '../relay.ts'
import { startUpstream } from '../upstream.ts'
import { runToEnd, startProcess } from './processes.ts'

const SEALING_KEYS = `k1:${Buffer.alloc(32).toString('base64')}`
/** The lease of a send is longer than that, and than the test. */
const UPSTREAM_TIMEOUT_MS = '100000'

/** An installation with one database and one upstream, whose processes the test starts and kills. */
async function startInstallation(t: TestContext) {
  const { target, sql } = await testDatabase()
  const up = await startUpstream(t)
  const relay = await startRelay(t, () => up.simulator.url)
  const { appId, appSecret, verifyToken } = up.simulator
  const env = {
    DATABASE_URL: target,
    SEALING_KEYS,
    UPSTREAM_URL: relay.url,
    UPSTREAM_CONFIG_ID: '1',
    UPSTREAM_TIMEOUT_MS,
    UPSTREAM_APP_ID: appId,
    UPSTREAM_APP_SECRET: appSecret,
    UPSTREAM_VERIFY_TOKEN: verifyToken,
  }
  const made = await runToEnd('admin', ['create-organization', '--name', 'Acme'], env)
  const { api_key } = JSON.parse(made.stdout)

  /** Starts a process, which gets the upstream's callbacks from now on. */
  async function start() {
    const hub = await startProcess(t, env)
    await up.simulator.control('PUT', '/callback', { url: `${hub.url}/hooks/upstream` })
    return { ...hub, acme: createClient(hub.url, bearer(api_key), () => {}) }
  }
  return { sql, up, relay, start }
}

type Hub = Awaited<ReturnType<Awaited<ReturnType<typeof startInstallation>>['start']>>

/** Sends two messages, each with its idempotency key, and reads their state. */
function twoMessages(path: string) {
  async function send({ acme }: Hub, name: 'taken' | 'stopped') {
    const body = { to: `551190000000${name.length}`, type: 'text', text: { body: name } }
    return acme.post(path, body, { headers: { 'idempotency-key': `the ${name} message` } })
  }
  async function readState(hub: Hub, name: 'taken' | 'stopped'): Promise<string> {
    const { status, body } = await send(hub, name)
    const { messages } = (await hub.acme.get(path)).body.data
    const line = messages.find(({ content }: { content: { body: string } }) => content.body === name)
    return `${status} ${body.error?.code ?? 'ok'}, ${line.status} in the log`
  }
  return { send, ask: async (hub: Hub) => [await readState(hub, 'taken'), await readState(hub, 'stopped')] }
}

async function untilNoneIsSending(sql: Pool, channelId: string): Promise<void> {
  const isSending = async () =>
    (await sql`select 1 from unsettled_sends where channel_id = ${channelId} and sending_until is not null`).length > 0
  while (await isSending()) await delay(20)
}

test('sends whose process is killed are unknown seconds after the next start, and are never sent again', {
  rules: ['send.is-at-most-once', 'send.is-recorded-before-the-upstream-call', 'send.crash-leaves-it-unknown'],
}, async (t) => {
  const { sql, up, relay, start } = await startInstallation(t)
  const { simulator } = up
  const first = await start()
  const { id } = await createChannel(first.acme)
  assert.equal((await connectWithToken(first.acme, id, await up.number())).status, 200)
  const { send, ask } = twoMessages(`/api/v1/channels/${id}/messages`)
  // The upstream accepts one and holds its response. The other is caught on the way.
  await simulator.control('POST', '/faults', { kind: 'hang_after', path: '/messages' })
  const lost = [send(first, 'taken')]
  await simulator.control('GET', '/wait?for=request&path=/messages&timeout_ms=60000')
  const caught = relay.catch('/messages')
  lost.push(send(first, 'stopped'))
  await caught

  const [ended] = await Promise.all([first.end('SIGKILL'), Promise.allSettled(lost)])
  const second = await start()
  await untilNoneIsSending(sql, id)
  const unknown = await ask(second)
  await simulator.control('POST', '/clock', { advance_seconds: 60 })
  const settled = await ask(second)

  assert.equal(ended, 'SIGKILL')
  assert.deepEqual(unknown, Array(2).fill('409 SEND_RESULT_UNKNOWN, unknown in the log'))
  // The upstream cannot deliver the message, because the customer did not write first.
  assert.deepEqual(settled, ['202 ok, failed in the log', '409 SEND_RESULT_UNKNOWN, unknown in the log'])
  const { messages } = await simulator.control<{ messages: unknown[] }>('GET', '/messages')
  assert.equal(messages.length, 1)
  assert.equal((await sql`select 1 from events where channel_id = ${id} and kind = 'message.sent'`).length, 1)
  assert.equal((await second.acme.get('/api/v1/usage')).body.data.usage.messages_sent, 1)
  assert.equal(await second.end('SIGTERM'), 0)
})

test('a process that lives marks the sends of one that was killed unknown, and leaves its own alone', {
  rules: ['outcome.killed-process-leaves-unknown-soon', 'outcome.living-process-keeps-its-sends'],
}, async (t) => {
  const { sql, up, relay, start } = await startInstallation(t)
  const [killed, alive] = [await start(), await start()]
  const ids = []
  for (const { acme } of [killed, alive]) {
    const { id } = await createChannel(acme)
    assert.equal((await connectWithToken(acme, id, await up.number())).status, 200)
    ids.push(id)
  }
  const [lostId = '', ownId = ''] = ids
  const [lost, own] = [lostId, ownId].map((id) => twoMessages(`/api/v1/channels/${id}/messages`))
  const caught = [relay.catch('/messages'), relay.catch('/messages')]
  const sending = [lost!.send(killed, 'stopped'), own!.send(alive, 'taken')]
  const requests = await Promise.all(caught)

  await Promise.all([killed.end('SIGKILL'), Promise.allSettled([sending[0]])])
  await untilNoneIsSending(sql, lostId)
  const [still] = await sql`select sending_until from unsettled_sends where channel_id = ${ownId}`
  for (const { proceed } of requests) proceed()
  const answer = await sending[1]

  assert.ok(still?.sending_until)
  assert.equal(answer?.status, 202, answer?.text)
})

test('a send at /graph whose process is killed is unknown in the log after the next start, and is not sent again', {
  rules: ['graph.killed-send-is-unknown', 'outcome.killed-process-leaves-unknown-soon'],
}, async (t) => {
  const { sql, up, start } = await startInstallation(t)
  const { simulator } = up
  const first = await start()
  const channel = await createChannel(first.acme)
  const number = await up.number()
  assert.equal((await connectWithToken(first.acme, channel.id, number)).status, 200)
  const client = createClient(first.url, bearer(channel.token), () => {})
  await simulator.control('POST', '/faults', { kind: 'hang_after', path: '/messages' })
  const body = { messaging_product: 'whatsapp', to: '5511900000001', type: 'text', text: { body: 'x' } }
  const lost = client.post(`/graph/${number.phoneNumberId}/messages`, body)
  await simulator.control('GET', '/wait?for=request&path=/messages&timeout_ms=60000')

  await Promise.all([first.end('SIGKILL'), Promise.allSettled([lost])])
  const second = await start()
  await untilNoneIsSending(sql, channel.id)

  const log = await second.acme.get(`/api/v1/channels/${channel.id}/messages`)
  assert.deepEqual(
    log.body.data.messages.map(({ status }: { status: string }) => status),
    ['unknown'],
  )
  const { messages } = await simulator.control<{ messages: unknown[] }>('GET', '/messages')
  assert.equal(messages.length, 1)
  assert.equal(await second.end('SIGTERM'), 0)
})
