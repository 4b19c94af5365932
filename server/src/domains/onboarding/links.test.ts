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

test('a new link is shown once with its expiry, and is recorded in the audit log', {
  rules: [
    'connect.link-is-created-on-request',
    'config.public-url-is-the-base-of-links',
    'connect.link-lives-connect-link-seconds',
  ],
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

test('an open link returns what the page needs, and of the organization and the channel only their names', {
  rules: ['connect.link-shows-organization-and-channel', 'connect.sandbox-link-has-a-signup-url'],
}, async (t) => {
  const { hub, up } = await startHubWithUpstream(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme, { external_id: 'crm-7' })
  const created = await acme.post(`/api/v1/channels/${id}/connect-link`)

  const shown = await hub.anonymous.get(`/api/v1/connect/${readLinkToken(created.body.data.connect_url)}`)

  assert.equal(shown.status, 200)
  assert.deepEqual(shown.body.data, {
    organization_name: 'Acme',
    channel_name: 'Padaria',
    status: 'open',
    mode: 'sandbox',
    app_id: up.simulator.appId,
    config_id: null,
    graph_version: 'v25.0',
    expires_at: created.body.data.expires_at,
    language: 'en',
    link_language: null,
    success_url: null,
    failure_url: null,
    brand: { color: null, logo_url: null },
    signup_url: `${up.simulator.url}/_sim/signup`,
  })
})

test('with a real upstream an open link returns the ids of the embedded sign-up and no simulator page', {
  rules: ['connect.sandbox-link-has-a-signup-url'],
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

  const { data } = (await hub.anonymous.get(`/api/v1/connect/${link}`)).body
  const { organization_name, channel_name, expires_at, ...settings } = data

  assert.deepEqual(settings, {
    status: 'open',
    mode: 'embedded_signup',
    app_id: '1234567890',
    config_id: '987654321',
    graph_version: 'v25.0',
    signup_url: null,
    language: 'en',
    link_language: null,
    success_url: null,
    failure_url: null,
    brand: { color: null, logo_url: null },
  })
})

const UNKNOWN: [string, string][] = [
  ['that was never issued', newToken('connect_link')],
  ['with a mistyped character', newToken('connect_link').replace(/.$/, '_')],
  ['of another format', 'nonsense'],
  ['that is much too long', 'x'.repeat(500)],
]

for (const [what, link] of UNKNOWN) {
  test(`a link ${what} is not found`, { rules: ['connect.unknown-link-is-404'] }, async (t) => {
    const hub = await startHub(t)

    const shown = await hub.anonymous.get(`/api/v1/connect/${link}`)
    const posted = await hub.anonymous.post(`/api/v1/connect/${link}`, SIGN_UP)

    assert.deepEqual([shown.status, posted.status], [404, 404])
    assert.equal(shown.body.error.code, 'NOT_FOUND')
  })
}

test('a channel token does not work as a link', { rules: ['token.is-in-no-link'] }, async (t) => {
  const hub = await startHub(t)
  const { token } = await createChannel(await hub.organization())

  const shown = await hub.anonymous.get(`/api/v1/connect/${token}`)
  const posted = await hub.anonymous.post(`/api/v1/connect/${token}`, SIGN_UP)

  assert.deepEqual([shown.status, posted.status], [404, 404])
})

test('a used link is 410 CONNECT_LINK_USED', {
  rules: ['connect.link-is-created-on-request', 'connect.link-works-once', 'connect.only-success-uses-the-link'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const { link, number } = await setup.connect(await setup.hub.organization())
  const before = await setup.requests()

  const shown = await setup.hub.anonymous.get(`/api/v1/connect/${link}`)
  const posted = await setup.post(link, number)

  assert.deepEqual([shown.status, posted.status], [410, 410])
  assert.deepEqual([shown.body.error.code, posted.body.error.code], ['CONNECT_LINK_USED', 'CONNECT_LINK_USED'])
  assert.deepEqual(await setup.requests(), before)
})

test('a link is 410 CONNECT_LINK_EXPIRED from its expiry on', {
  rules: ['connect.link-lives-connect-link-seconds', 'connect.expired-link-is-410'],
}, async (t) => {
  const setup = await startHubWithUpstream(t, { env: { CONNECT_LINK_SECONDS: '3600' } })
  const acme = await setup.hub.organization()
  const { id } = await createChannel(acme)
  const link = await createLink(acme, id)

  await setup.hub.clock.advance('59 minutes')
  const early = await setup.hub.anonymous.get(`/api/v1/connect/${link}`)
  await setup.hub.clock.advance('1 minute')
  const shown = await setup.hub.anonymous.get(`/api/v1/connect/${link}`)
  const posted = await setup.post(link, await setup.up.number())

  assert.equal(early.status, 200)
  assert.deepEqual([shown.status, posted.status], [410, 410])
  assert.deepEqual([shown.body.error.code, posted.body.error.code], ['CONNECT_LINK_EXPIRED', 'CONNECT_LINK_EXPIRED'])
  assert.equal((await setup.requests()).length, 0)
})

test('a new link ends the older links of its own channel only', {
  rules: ['connect.newer-link-ends-the-older'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const [channel, other] = [await createChannel(acme), await createChannel(acme)]
  const [superseded, elsewhere] = [await createLink(acme, channel.id), await createLink(acme, other.id)]

  const latest = await createLink(acme, channel.id)

  const shown = await setup.hub.anonymous.get(`/api/v1/connect/${superseded}`)
  const posted = await setup.post(superseded, await setup.up.number())
  assert.deepEqual([shown.status, posted.status], [410, 410])
  assert.deepEqual([shown.body.error.code, posted.body.error.code], ['CONNECT_LINK_EXPIRED', 'CONNECT_LINK_EXPIRED'])
  assert.equal((await setup.hub.anonymous.get(`/api/v1/connect/${latest}`)).status, 200)
  assert.equal((await setup.hub.anonymous.get(`/api/v1/connect/${elsewhere}`)).status, 200)
})

const INVALID_SIGN_UPS: [string, unknown][] = [
  ['nothing', undefined],
  ['no code', { waba_id: '1' }],
  ['an empty code', { code: '', waba_id: '1' }],
  ['no account', { code: 'x' }],
  ['an account that is not an id', { code: 'x', waba_id: '../me' }],
  ['an account as a number', { code: 'x', waba_id: 1 }],
  ['a number that is not an id', { ...SIGN_UP, phone_number_id: 'x' }],
  ['a PIN of five digits', { ...SIGN_UP, pin: '12345' }],
  ['a PIN of letters', { ...SIGN_UP, pin: 'abcdef' }],
  ['a PIN as a number', { ...SIGN_UP, pin: 123456 }],
  ['a flag that is a string', { ...SIGN_UP, coexistence: 'true' }],
  ['an unknown property', { ...SIGN_UP, access_token: 'x' }],
]

test('an invalid body is 400 without an upstream call, and leaves the link open', {
  rules: ['api.unknown-properties-are-400', 'api.values-are-not-coerced'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const link = await createLink(acme, (await createChannel(acme)).id)

  for (const [what, body] of INVALID_SIGN_UPS) {
    const refused = await setup.hub.anonymous.post(`/api/v1/connect/${link}`, body)
    assert.equal(refused.status, 400, what)
    assert.equal(refused.body.error.code, 'INVALID_REQUEST', what)
  }

  assert.equal((await setup.requests()).length, 0)
  assert.equal((await setup.hub.anonymous.get(`/api/v1/connect/${link}`)).status, 200)
})
