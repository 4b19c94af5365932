import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { waitForHeldRequests } from '../../../../test/held-requests.ts'
import { listEvents, startHubWithUpstream } from '../../../../test/hub-with-upstream.ts'
import { connectWithToken, startRelayed } from '../../../../test/relay.ts'

async function startChannel(t: TestContext) {
  const setup = await startHubWithUpstream(t, { env: { UPSTREAM_TIMEOUT_MS: '2000' } })
  const acme = await setup.hub.organization()
  const channel = await setup.connect(acme)
  const { wabaId } = channel.number

  const check = () => setup.hub.context.health.check({ organizationId: acme.organizationId, id: channel.id })
  async function shown() {
    const { status, subscribed_ok } = (await acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel
    return [status, subscribed_ok]
  }
  async function transitions() {
    const events = await listEvents(setup.hub.sql, channel.id)
    return events.slice(2).map(({ kind, data }) => [kind, data.reason])
  }
  async function isSubscribed(): Promise<boolean | undefined> {
    const listed = await setup.up.simulator.control<{ accounts: { waba_id: string; subscribed: boolean }[] }>(
      'GET',
      '/accounts',
    )
    return listed.accounts.find((account) => account.waba_id === wabaId)?.subscribed
  }
  const unsubscribe = () => setup.up.simulator.control('PATCH', `/accounts/${wabaId}`, { subscribed: false })
  return { ...setup, acme, channel, check, shown, transitions, isSubscribed, unsubscribe }
}

test('a check restores a lost subscription without a status change', async (t) => {
  const fixture = await startChannel(t)
  await fixture.unsubscribe()

  await fixture.check()

  assert.equal(await fixture.isSubscribed(), true)
  assert.deepEqual(await fixture.shown(), ['active', true])
  assert.deepEqual(await fixture.transitions(), [])
})

test('a channel is degraded while the upstream refuses to restore its subscription', {
  rules: ['channel.degraded-cannot-do-its-whole-job', 'channel.subscribed-ok-is-the-last-check'],
}, async (t) => {
  const fixture = await startChannel(t)
  await fixture.unsubscribe()
  await fixture.fault('error', '/subscribed_apps', { method: 'POST', code: 10, times: null })

  await fixture.check()
  await fixture.check()
  const during = await fixture.shown()
  await fixture.liftFaults()
  await fixture.check()

  assert.deepEqual(during, ['degraded', false])
  assert.deepEqual(await fixture.shown(), ['active', true])
  assert.deepEqual(await fixture.transitions(), [
    ['channel.degraded', 'subscription_lost'],
    ['channel.connected', null],
  ])
})

for (const [what, kind, more] of [
  ['a 5xx', 'http', { status: 500 }],
  ['throttling', 'throttle', { code: 80007 }],
  ['a timeout', 'hang_before', {}],
] as const) {
  test(`${what} on restoring the subscription does not change the channel`, async (t) => {
    const fixture = await startChannel(t)
    await fixture.unsubscribe()
    await fixture.fault(kind, '/subscribed_apps', { method: 'POST', times: null, ...more })

    await fixture.check()
    await waitForHeldRequests(fixture.up)

    assert.deepEqual(await fixture.shown(), ['active', true])
    assert.deepEqual(await fixture.transitions(), [])
  })
}

test('a channel that is degraded for its subscription stays so while the upstream does not respond', async (t) => {
  const fixture = await startChannel(t)
  await fixture.unsubscribe()
  await fixture.fault('error', '/subscribed_apps', { method: 'POST', code: 10, times: null })
  await fixture.check()
  await fixture.fault('http', '/subscribed_apps', { method: 'GET', status: 503, times: null })

  await fixture.check()

  assert.deepEqual(await fixture.shown(), ['degraded', false])
  assert.deepEqual(await fixture.transitions(), [['channel.degraded', 'subscription_lost']])
})

test('the reason of a flagged number takes precedence over a lost subscription', async (t) => {
  const fixture = await startChannel(t)
  await fixture.unsubscribe()
  await fixture.fault('error', '/subscribed_apps', { method: 'POST', code: 10, times: null })
  await fixture.up.simulator.control('PATCH', `/numbers/${fixture.channel.number.phoneNumberId}`, { status: 'FLAGGED' })

  await fixture.check()

  assert.deepEqual(await fixture.shown(), ['degraded', false])
  assert.deepEqual(await fixture.transitions(), [['channel.degraded', 'number_flagged']])
})

// The channel may be connected again while a check runs.
test('a check with a replaced token does not change the new connection', async (t) => {
  const { up, relay, hub, acme, number, id } = await startRelayed(t)
  await up.simulator.control('POST', '/tokens/revoke', { waba_id: number.wabaId })
  const asked = relay.catch(`/${number.phoneNumberId}`)
  const check = hub.context.health.check({ organizationId: acme.organizationId, id })
  const old = await asked
  const fresh = await up.simulator.control<{ access_token: string }>('POST', '/tokens', { waba_id: number.wabaId })
  assert.equal((await connectWithToken(acme, id, { ...number, accessToken: fresh.access_token })).status, 200)

  old.proceed()
  await check

  assert.equal((await acme.get(`/api/v1/channels/${id}`)).body.data.channel.status, 'active')
  const kinds = (await listEvents(hub.sql, id)).map(({ kind }) => kind)
  assert.deepEqual(kinds, ['channel.created', 'channel.connected', 'channel.connected'])
})

for (const [what, act] of [
  ['listing templates', (fixture: Fixture) => fixture.acme.get(`${fixture.path}/templates`)],
  ['creating a template', (fixture: Fixture) => fixture.acme.post(`${fixture.path}/templates`, TEMPLATE)],
  ['uploading a file', (fixture: Fixture) => upload(fixture)],
] as const) {
  test(`a credential that is refused on ${what} disconnects the channel once`, async (t) => {
    const fixture = { ...(await startChannel(t)), path: '' }
    fixture.path = `/api/v1/channels/${fixture.channel.id}`
    await fixture.up.simulator.control('POST', '/tokens/revoke', { waba_id: fixture.channel.number.wabaId })

    const first = await act(fixture)
    const second = await act(fixture)

    for (const answer of [first, second]) {
      assert.equal(answer.status, 400)
      assert.equal(answer.body.error.code, 'CHANNEL_NOT_CONNECTED')
    }
    assert.deepEqual(await fixture.shown(), ['disconnected', true])
    assert.deepEqual(await fixture.transitions(), [['channel.disconnected', 'credential_refused']])
  })
}

type Fixture = Awaited<ReturnType<typeof startChannel>> & { path: string }

const TEMPLATE = { name: 'ola', language: 'pt_BR', category: 'UTILITY', components: [{ type: 'BODY', text: 'Oi!' }] }

function upload({ acme, path }: Fixture) {
  const raw = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\noi\r\n--x--\r\n'
  return acme.send('POST', `${path}/media`, { raw, headers: { 'content-type': 'multipart/form-data; boundary=x' } })
}
