import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ORIGIN, startHub } from '../../../test/hub.ts'
import {
  createChannel,
  createLink,
  listAuditEntries,
  readLinkToken,
  startHubWithUpstream,
} from '../../../test/hub-with-upstream.ts'
import { dumpDatabase, listEncodings } from '../../../test/stored-secrets.ts'
import { readConfig } from '../../app/config/config.ts'
import { toUpstreamSettings } from '../../app/config/upstream-settings.ts'
import { newToken } from '../../kernel/crypto/tokens.ts'

const SIGN_UP = { code: 'a code', waba_id: '1' }

test('a link is answered once, with its end, and an audit entry tells of it', {
  rules: ['CHE-13', 'D2-07', 'D6-29', 'D6-30', 'D6-33'],
}, async (t) => {
  const hub = await startHub(t, { env: { CONNECT_LINK_SECONDS: '600' } })
  const acme = await hub.organization()
  const { id } = await createChannel(acme)
  const before = hub.clock.now().getTime()

  const created = await acme.post(`/api/v1/channels/${id}/connect-link`)

  assert.equal(created.status, 201)
  const { connect_url, expires_at } = created.body.data
  assert.deepEqual(Object.keys(created.body.data).sort(), ['connect_url', 'expires_at'])
  assert.match(connect_url, new RegExp(`^${ORIGIN}/connect/[0-9A-Za-z_]{40,}$`))
  const seconds = (Date.parse(expires_at) - before) / 1000
  assert.ok(seconds > 590 && seconds < 660, String(seconds))
  assert.equal((await listAuditEntries(acme, id)).at(-1)?.action, 'channel.connect_link_created')
  const stored = await dumpDatabase(hub.sql)
  for (const form of listEncodings(readLinkToken(connect_url))) assert.ok(!stored.includes(form), form)
})

test('an open link tells what the page needs, and no more about the channel than its name', {
  rules: ['D6-46', 'D6-47', 'D6-70'],
}, async (t) => {
  const { hub, up } = await startHubWithUpstream(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme, { external_id: 'crm-7' })
  const created = await acme.post(`/api/v1/channels/${id}/connect-link`)

  const shown = await hub.anonymous.get(`/api/v1/connect/${readLinkToken(created.body.data.connect_url)}`)

  assert.equal(shown.status, 200)
  assert.deepEqual(shown.body.data, {
    channel_name: 'Padaria',
    status: 'open',
    mode: 'sandbox',
    app_id: up.simulator.appId,
    config_id: null,
    graph_version: 'v25.0',
    expires_at: created.body.data.expires_at,
    signup_url: `${up.simulator.url}/_sim/signup`,
  })
})

test('with a real upstream an open link tells the embedded sign-up with the ids of its app, and no page of a simulator', {
  rules: ['D6-47', 'D6-70'],
}, async (t) => {
  const config = readConfig({
    UPSTREAM_URL: 'https://graph.example.com',
    UPSTREAM_APP_ID: '1234567890',
    UPSTREAM_APP_SECRET: 'secret',
    UPSTREAM_CONFIG_ID: '987654321',
    UPSTREAM_VERIFY_TOKEN: 'verify',
  })
  const hub = await startHub(t, { installation: { upstream: toUpstreamSettings(config) } })
  const acme = await hub.organization()
  const link = await createLink(acme, (await createChannel(acme)).id)

  const { channel_name, expires_at, ...told } = (await hub.anonymous.get(`/api/v1/connect/${link}`)).body.data

  assert.deepEqual(told, {
    status: 'open',
    mode: 'embedded_signup',
    app_id: '1234567890',
    config_id: '987654321',
    graph_version: 'v25.0',
    signup_url: null,
  })
})

const UNKNOWN: [string, string][] = [
  ['that was never made', newToken('connect_link')],
  ['with a mistyped letter', newToken('connect_link').replace(/.$/, '_')],
  ['that is not one', 'nonsense'],
  ['that is much too long', 'x'.repeat(500)],
]

for (const [what, link] of UNKNOWN) {
  test(`a link ${what} is not found`, { rules: ['D6-48'] }, async (t) => {
    const hub = await startHub(t)

    const shown = await hub.anonymous.get(`/api/v1/connect/${link}`)
    const posted = await hub.anonymous.post(`/api/v1/connect/${link}`, SIGN_UP)

    assert.deepEqual([shown.status, posted.status], [404, 404])
    assert.equal(shown.body.error.code, 'NOT_FOUND')
  })
}

test("a channel's own token is no link", { rules: ['D6-34'] }, async (t) => {
  const hub = await startHub(t)
  const { token } = await createChannel(await hub.organization())

  const shown = await hub.anonymous.get(`/api/v1/connect/${token}`)
  const posted = await hub.anonymous.post(`/api/v1/connect/${token}`, SIGN_UP)

  assert.deepEqual([shown.status, posted.status], [404, 404])
})

test('a used link is gone, and says that it was used', {
  rules: ['CHE-13', 'CRD-12', 'D4-16', 'D6-49', 'D6-63'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const { link, number } = await world.connect(await world.hub.organization())
  const before = await world.requests()

  const shown = await world.hub.anonymous.get(`/api/v1/connect/${link}`)
  const posted = await world.post(link, number)

  assert.deepEqual([shown.status, posted.status], [410, 410])
  assert.deepEqual([shown.body.error.code, posted.body.error.code], ['CONNECT_LINK_USED', 'CONNECT_LINK_USED'])
  assert.deepEqual(await world.requests(), before)
})

test('a link ends when its time is over, and not before', {
  rules: ['CRD-11', 'D4-17', 'D6-30', 'D6-50'],
}, async (t) => {
  const world = await startHubWithUpstream(t, { env: { CONNECT_LINK_SECONDS: '3600' } })
  const acme = await world.hub.organization()
  const { id } = await createChannel(acme)
  const link = await createLink(acme, id)

  await world.hub.clock.advance('59 minutes')
  const early = await world.hub.anonymous.get(`/api/v1/connect/${link}`)
  await world.hub.clock.advance('1 minute')
  const shown = await world.hub.anonymous.get(`/api/v1/connect/${link}`)
  const posted = await world.post(link, await world.up.number())

  assert.equal(early.status, 200)
  assert.deepEqual([shown.status, posted.status], [410, 410])
  assert.deepEqual([shown.body.error.code, posted.body.error.code], ['CONNECT_LINK_EXPIRED', 'CONNECT_LINK_EXPIRED'])
  assert.equal((await world.requests()).length, 0)
})

test('a new link ends the older ones of its channel, and of no other', { rules: ['D6-31'] }, async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const [channel, other] = [await createChannel(acme), await createChannel(acme)]
  const [superseded, elsewhere] = [await createLink(acme, channel.id), await createLink(acme, other.id)]

  const latest = await createLink(acme, channel.id)

  const shown = await world.hub.anonymous.get(`/api/v1/connect/${superseded}`)
  const posted = await world.post(superseded, await world.up.number())
  assert.deepEqual([shown.status, posted.status], [410, 410])
  assert.deepEqual([shown.body.error.code, posted.body.error.code], ['CONNECT_LINK_EXPIRED', 'CONNECT_LINK_EXPIRED'])
  assert.equal((await world.hub.anonymous.get(`/api/v1/connect/${latest}`)).status, 200)
  assert.equal((await world.hub.anonymous.get(`/api/v1/connect/${elsewhere}`)).status, 200)
})

const BAD_SIGN_UPS: [string, unknown][] = [
  ['nothing', undefined],
  ['no code', { waba_id: '1' }],
  ['an empty code', { code: '', waba_id: '1' }],
  ['no account', { code: 'x' }],
  ['an account that is no id', { code: 'x', waba_id: '../me' }],
  ['an account as a number', { code: 'x', waba_id: 1 }],
  ['a number that is no id', { ...SIGN_UP, phone_number_id: 'x' }],
  ['a PIN of five digits', { ...SIGN_UP, pin: '12345' }],
  ['a PIN of letters', { ...SIGN_UP, pin: 'abcdef' }],
  ['a PIN as a number', { ...SIGN_UP, pin: 123456 }],
  ['a flag that is text', { ...SIGN_UP, coexistence: 'true' }],
  ['an unknown property', { ...SIGN_UP, access_token: 'x' }],
]

test('a post with a wrong body is refused, asks nothing of the upstream, and leaves the link open', {
  rules: ['D3-08', 'D3-09', 'D3-10', 'D6-52'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const link = await createLink(acme, (await createChannel(acme)).id)

  for (const [what, body] of BAD_SIGN_UPS) {
    const refused = await world.hub.anonymous.post(`/api/v1/connect/${link}`, body)
    assert.equal(refused.status, 400, what)
    assert.equal(refused.body.error.code, 'INVALID_REQUEST', what)
  }

  assert.equal((await world.requests()).length, 0)
  assert.equal((await world.hub.anonymous.get(`/api/v1/connect/${link}`)).status, 200)
})
