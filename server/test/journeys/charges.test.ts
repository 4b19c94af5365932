import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createClient } from '../client.ts'
import { testClock } from '../clock.ts'
import { testDatabase } from '../database.ts'
import { bearer } from '../hub.ts'
import { startRelay } from '../relay.ts'
import { startUpstream } from '../upstream.ts'
import { runToEnd, startProcess } from './processes.ts'

const SEALING_KEYS = `k1:${Buffer.alloc(32).toString('base64')}`
/** The lease of an operation. */
const CLAIM = '5 minutes'
const CHANGE = '/v1/subscriptions/sub_'

type Session = { id: string; url: string }
type Invoice = { total: number; billing_reason: string }

/** An installation with a payment provider, whose processes the test starts and kills. */
async function startInstallation(t: TestContext) {
  const { target, sql } = await testDatabase()
  const { simulator } = await startUpstream(t)
  const provider = await startRelay(t, () => simulator.payments.url)
  const { appId, appSecret, verifyToken, payments } = simulator
  const env = {
    DATABASE_URL: target,
    SEALING_KEYS,
    UPSTREAM_URL: simulator.url,
    UPSTREAM_CONFIG_ID: '1',
    UPSTREAM_APP_ID: appId,
    UPSTREAM_APP_SECRET: appSecret,
    UPSTREAM_VERIFY_TOKEN: verifyToken,
    BILLING: 'stripe',
    STRIPE_SECRET_KEY: payments.secretKey,
    STRIPE_WEBHOOK_SECRET: payments.webhookSecret,
    STRIPE_URL: provider.url,
  }
  assert.equal((await runToEnd('admin', ['setup-billing'], env)).code, 0)
  const made = await runToEnd('admin', ['create-organization', '--name', 'Acme'], env)

  async function start() {
    const hub = await startProcess(t, env)
    await simulator.control('PUT', '/payments/callback', { url: `${hub.url}/hooks/billing` })
    const acme = createClient(hub.url, bearer(JSON.parse(made.stdout).api_key), () => {})
    const post = (path: string, body: object, key: string) =>
      acme.post(`/api/v1/subscription/${path}`, body, { headers: { 'idempotency-key': key } })
    return { ...hub, acme, post }
  }
  return { simulator, provider, start, clock: await testClock(sql) }
}

for (const moment of ['before the provider gets it', 'after the provider has charged']) {
  test(`a change whose process is killed ${moment} is completed with the same key and charged once`, async (t) => {
    const { simulator, provider, start, clock } = await startInstallation(t)
    const first = await start()
    const opened = await first.post('checkout', { plan: 'starter' }, 'the-checkout')
    const { checkout_sessions } = await simulator.control<{ checkout_sessions: Session[] }>(
      'GET',
      '/payments/objects/checkout_sessions',
    )
    const session = checkout_sessions.find(({ url }) => url === opened.body.data.checkout_url)
    await simulator.control('POST', `/payments/checkout/${session?.id}`, { card: '4242424242424242' })
    const change = ({ post }: Pick<typeof first, 'post'>) => post('addons', { total: 2 }, 'the-connections')

    const isDone = moment.startsWith('after')
    if (isDone) await simulator.control('POST', '/faults', { kind: 'hang_after', path: CHANGE })
    const caught = isDone
      ? simulator.control('GET', `/wait?for=request&path=${CHANGE}&timeout_ms=60000`)
      : provider.catch(CHANGE)
    const lost = change(first)
    await caught
    const [ended] = await Promise.all([first.end('SIGKILL'), Promise.allSettled([lost])])
    const second = await start()
    const early = await change(second)
    await clock.advance(CLAIM)
    const late = await change(second)

    assert.equal(ended, 'SIGKILL')
    assert.equal(early.body.error.code, 'OPERATION_IN_PROGRESS')
    assert.equal(late.status, 201, late.text)
    const { invoices } = await simulator.control<{ invoices: Invoice[] }>('GET', '/payments/objects/invoices')
    const charged = invoices.filter(({ billing_reason }) => billing_reason === 'subscription_update')
    assert.deepEqual(
      charged.map(({ total }) => total),
      [late.body.data.addons.amount_due],
    )
    const { subscription, quotas } = (await second.acme.get('/api/v1/subscription')).body.data
    assert.deepEqual([subscription.plan, subscription.addons, quotas.channels.limit], ['starter', 2, 7])
    assert.equal(await second.end('SIGTERM'), 0)
  })
}
