import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, createClient } from '../client.ts'
import { testDatabase } from '../database.ts'
import { bearer } from '../hub.ts'
import { createChannel } from '../hub-with-upstream.ts'
import { freePort, type Running, runToEnd, startProcess } from '../journeys/processes.ts'
import { startReceiver } from '../receiver.ts'
import { connectWithToken } from '../relay.ts'
import { startUpstream, type Upstream } from '../upstream.ts'
import { startHaproxy } from './haproxy.ts'

const SEALING_KEYS = `k1:${Buffer.alloc(32).toString('base64')}`
/** Longer than HAProxy needs here to notice. */
const DRAIN_SECONDS = '15'
const SENDERS = 2
const PAUSE_MS = 60

/** Two hubs behind HAProxy. */
async function startInstallation(t: TestContext) {
  const up = await startUpstream(t)
  const receiver = await startReceiver(t)
  const env = {
    DATABASE_URL: (await testDatabase()).target,
    SEALING_KEYS,
    BILLING: 'off',
    DRAIN_SECONDS,
    WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination,
    UPSTREAM_URL: up.simulator.url,
    UPSTREAM_CONFIG_ID: '1',
    UPSTREAM_APP_ID: up.simulator.appId,
    UPSTREAM_APP_SECRET: up.simulator.appSecret,
    UPSTREAM_VERIFY_TOKEN: up.simulator.verifyToken,
  }
  const made = await runToEnd('admin', ['create-organization', '--name', 'Acme'], env)
  assert.equal(made.code, 0, made.stderr)
  const ports: [number, number] = [await freePort(), await freePort()]
  const haproxy = await startHaproxy(t, ports)
  const variables = ports.map((port) => ({ ...env, PORT: String(port) }))
  const running: Running[] = []
  for (const one of variables) running.push(await startProcess(t, one))
  await haproxy.untilBothAreUp()
  const acme = createClient(haproxy.url, bearer(JSON.parse(made.stdout).api_key), () => {})
  const { id } = await createChannel(acme)
  assert.equal((await connectWithToken(acme, id, await up.number())).status, 200)
  const endpoint = { name: 'crm', url: `${receiver.url}/events`, event_types: ['message.sent'] }
  assert.equal((await acme.post('/api/v1/webhooks', endpoint)).status, 201)

  /** Stops and starts each process in turn, and returns their exit codes. */
  async function roll(): Promise<(number | string)[]> {
    const codes = []
    for (const [n, one] of variables.entries()) {
      codes.push(await running[n]!.end('SIGTERM'))
      running[n] = await startProcess(t, one)
      await haproxy.untilBothAreUp()
    }
    return codes
  }
  const path = `/api/v1/channels/${id}/messages`
  return { acme, up, path, receiver, roll }
}

/** Sends messages, each to another contact, until it is stopped. */
function startSenders({ acme, up, path }: { acme: Client; up: Upstream; path: string }) {
  const results: string[] = []
  let isStopped = false
  let contacts = 0

  async function sendAgainAndAgain(): Promise<void> {
    while (!isStopped) {
      const contact = ++contacts
      const body = { to: String(5511900000000 + contact), type: 'text', text: { body: 'Bom dia' } }
      const headers = { 'idempotency-key': `message ${contact}` }
      const result = await acme.post(path, body, { headers }).then(
        ({ status, text }) => (status === 202 ? '202' : `${status} ${text}`),
        (err: Error) => `${err.message}: ${err.cause}`,
      )
      results.push(result)
      // The upstream throttles a number too, by a clock that stands still.
      await up.simulator.control('POST', '/clock', { advance_seconds: 1 })
      await delay(PAUSE_MS)
    }
  }
  const senders = Array.from({ length: SENDERS }, sendAgainAndAgain)
  return {
    async stop(): Promise<string[]> {
      isStopped = true
      await Promise.all(senders)
      return results
    },
  }
}

test('a rolling restart of two hubs behind HAProxy fails no request and loses no delivery', {
  rules: ['process.rolling-restart-loses-nothing'],
}, async (t) => {
  const { receiver, roll, ...installation } = await startInstallation(t)
  const senders = startSenders(installation)

  const codes = await roll()
  const results = await senders.stop()

  const failed = results.filter((result) => result !== '202')
  assert.deepEqual([failed, new Set(codes)], [[], new Set([0])])
  const countDelivered = () => new Set(receiver.received.map(({ headers }) => headers['x-hub-delivery-id'])).size
  while (countDelivered() < results.length) await delay(20)
  assert.equal(countDelivered(), results.length)
})
