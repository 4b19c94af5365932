import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { waitForHeldRequests } from '../../../../test/held-requests.ts'
import { listEvents, startHubWithUpstream } from '../../../../test/hub-with-upstream.ts'
import { connectWithToken, startRelayed } from '../../../../test/relay.ts'

async function startChannel(t: TestContext) {
  const world = await startHubWithUpstream(t, { env: { UPSTREAM_TIMEOUT_MS: '400' } })
  const acme = await world.hub.organization()
  const channel = await world.connect(acme)
  const { wabaId } = channel.number

  const check = () => world.hub.context.health.check({ organizationId: acme.organizationId, id: channel.id })
  async function shown() {
    const { status, subscribed_ok } = (await acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel
    return [status, subscribed_ok]
  }
  async function transitions() {
    const events = await listEvents(world.hub.sql, channel.id)
    return events.slice(2).map(({ kind, data }) => [kind, data.reason])
  }
  async function isSubscribed(): Promise<boolean | undefined> {
    const listed = await world.up.simulator.control<{ accounts: { waba_id: string; subscribed: boolean }[] }>(
      'GET',
      '/accounts',
    )
    return listed.accounts.find((account) => account.waba_id === wabaId)?.subscribed
  }
  const unsubscribe = () => world.up.simulator.control('PATCH', `/accounts/${wabaId}`, { subscribed: false })
  return { ...world, acme, channel, check, shown, transitions, isSubscribed, unsubscribe }
}

test('a lost subscription is made again, and nobody needs to know', async (t) => {
  const scene = await startChannel(t)
  await scene.unsubscribe()

  await scene.check()

  assert.equal(await scene.isSubscribed(), true)
  assert.deepEqual(await scene.shown(), ['active', true])
  assert.deepEqual(await scene.transitions(), [])
})

test('a subscription that the upstream refuses to make again degrades the channel, until it is there', {
  rules: ['D6-03', 'D6-05'],
}, async (t) => {
  const scene = await startChannel(t)
  await scene.unsubscribe()
  await scene.fault('error', '/subscribed_apps', { method: 'POST', code: 10, times: null })

  await scene.check()
  await scene.check()
  const during = await scene.shown()
  await scene.liftFaults()
  await scene.check()

  assert.deepEqual(during, ['degraded', false])
  assert.deepEqual(await scene.shown(), ['active', true])
  assert.deepEqual(await scene.transitions(), [
    ['channel.degraded', 'subscription_lost'],
    ['channel.connected', null],
  ])
})

for (const [what, kind, more] of [
  ['a 5xx', 'http', { status: 500 }],
  ['a throttle', 'throttle', { code: 80007 }],
  ['silence', 'hang_before', {}],
] as const) {
  test(`${what} on subscribing again changes nothing about the channel`, async (t) => {
    const scene = await startChannel(t)
    await scene.unsubscribe()
    await scene.fault(kind, '/subscribed_apps', { method: 'POST', times: null, ...more })

    await scene.check()
    await waitForHeldRequests(scene.up)

    assert.deepEqual(await scene.shown(), ['active', true])
    assert.deepEqual(await scene.transitions(), [])
  })
}

test('without an answer on the subscription a channel that is degraded for it does not come back', async (t) => {
  const scene = await startChannel(t)
  await scene.unsubscribe()
  await scene.fault('error', '/subscribed_apps', { method: 'POST', code: 10, times: null })
  await scene.check()
  await scene.fault('http', '/subscribed_apps', { method: 'GET', status: 503, times: null })

  await scene.check()

  assert.deepEqual(await scene.shown(), ['degraded', false])
  assert.deepEqual(await scene.transitions(), [['channel.degraded', 'subscription_lost']])
})

test('a number that is flagged is the reason that is told, even where the subscription is lost as well', async (t) => {
  const scene = await startChannel(t)
  await scene.unsubscribe()
  await scene.fault('error', '/subscribed_apps', { method: 'POST', code: 10, times: null })
  await scene.up.simulator.control('PATCH', `/numbers/${scene.channel.number.phoneNumberId}`, { status: 'FLAGGED' })

  await scene.check()

  assert.deepEqual(await scene.shown(), ['degraded', false])
  assert.deepEqual(await scene.transitions(), [['channel.degraded', 'number_flagged']])
})

// A check takes seconds, and the owner may connect the channel again in those seconds.
test('what the upstream says of an old token says nothing about the connection made since', async (t) => {
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
  ['listing templates', (scene: Scene) => scene.acme.get(`${scene.path}/templates`)],
  ['creating a template', (scene: Scene) => scene.acme.post(`${scene.path}/templates`, TEMPLATE)],
  ['uploading a file', (scene: Scene) => upload(scene)],
] as const) {
  test(`a credential that is refused on ${what} disconnects the channel, once`, async (t) => {
    const scene = { ...(await startChannel(t)), path: '' }
    scene.path = `/api/v1/channels/${scene.channel.id}`
    await scene.up.simulator.control('POST', '/tokens/revoke', { waba_id: scene.channel.number.wabaId })

    const first = await act(scene)
    const second = await act(scene)

    for (const answer of [first, second]) {
      assert.equal(answer.status, 400)
      assert.equal(answer.body.error.code, 'CHANNEL_NOT_CONNECTED')
    }
    assert.deepEqual(await scene.shown(), ['disconnected', true])
    assert.deepEqual(await scene.transitions(), [['channel.disconnected', 'credential_refused']])
  })
}

type Scene = Awaited<ReturnType<typeof startChannel>> & { path: string }

const TEMPLATE = { name: 'ola', language: 'pt_BR', category: 'UTILITY', components: [{ type: 'BODY', text: 'Oi!' }] }

function upload({ acme, path }: Scene) {
  const raw = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\noi\r\n--x--\r\n'
  return acme.send('POST', `${path}/media`, { raw, headers: { 'content-type': 'multipart/form-data; boundary=x' } })
}
