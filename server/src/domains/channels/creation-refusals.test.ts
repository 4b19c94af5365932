import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub, type TestHub } from '../../../test/hub.ts'
import { createChannel } from '../../../test/hub-with-upstream.ts'
import type { Lookup } from '../../kernel/net/lookup.ts'
import { SCOPES } from '../auth/scopes.ts'

const PUBLIC = { address: '93.184.216.34', family: 4 } as const
const ADDRESSES: Record<string, Awaited<ReturnType<Lookup>>> = {
  'hooks.example.com': [PUBLIC, { address: '2606:2800:220:1:248:1893:25c8:1946', family: 6 }],
  'mixed.example.com': [PUBLIC, { address: '10.0.0.7', family: 4 }],
  'mixed6.example.com': [PUBLIC, { address: 'fd00::7', family: 6 }],
  'private.example.com': [{ address: '192.168.1.1', family: 4 }],
  'loopback.example.com': [{ address: '127.0.0.1', family: 4 }],
  'metadata.example.com': [{ address: '169.254.169.254', family: 4 }],
  'empty.example.com': [],
}

/** Replaces DNS: resolves only the names above. */
const lookup: Lookup = async ({ name }) => {
  const found = ADDRESSES[name]
  if (!found) throw Object.assign(new Error(`no ${name}`), { code: 'ENOTFOUND' })
  return found
}

/** The rows of everything that a creation writes. */
async function countCreatedRows(hub: TestHub, organizationId: string): Promise<number> {
  const rows = await hub.sql`
    select id from channels where organization_id = ${organizationId}
    union all
    select id from webhook_endpoints where organization_id = ${organizationId}
    union all
    select id from connect_links where organization_id = ${organizationId}
    union all
    select id from credentials where organization_id = ${organizationId} and kind = 'channel_token'
    union all
    select id from events where organization_id = ${organizationId}
    union all
    select id from audit_entries where organization_id = ${organizationId} and action like 'channel.%'`
  return rows.length
}

const URL = 'https://hooks.example.com/in'
const SECRET = 'sixteen-letters!'

const INVALID: [string, unknown, string][] = [
  ['no body', undefined, '/name'],
  ['no name', { external_id: 'x' }, '/name'],
  ['an empty name', { name: '' }, '/name'],
  ['a name that is too long', { name: 'x'.repeat(101) }, '/name'],
  ['a name that is a number', { name: 7 }, '/name'],
  ['another type', { name: 'x', type: 'sms' }, '/type'],
  ['an external id that is too long', { name: 'x', external_id: 'x'.repeat(201) }, '/external_id'],
  ['an external id that is a number', { name: 'x', external_id: 7 }, '/external_id'],
  ['an unknown property', { name: 'x', status: 'active' }, '/status'],
  ['a webhook_secret without webhook_url', { name: 'x', webhook_secret: SECRET }, '/webhook_secret'],
  ['webhook_events without webhook_url', { name: 'x', webhook_events: ['event_received'] }, '/webhook_events'],
  ['empty webhook_events without webhook_url', { name: 'x', webhook_events: [] }, '/webhook_events'],
  ['a webhook_url that is not a URI', { name: 'x', webhook_url: 'hooks' }, '/webhook_url'],
  ['a webhook_url that is null', { name: 'x', webhook_url: null }, '/webhook_url'],
  ['a webhook_url that is too long', { name: 'x', webhook_url: `${URL}?`.padEnd(2049, 'x') }, '/webhook_url'],
  ['a webhook_secret that is too short', withUrl({ webhook_secret: 'x'.repeat(15) }), '/webhook_secret'],
  ['a webhook_secret that is too long', withUrl({ webhook_secret: 'x'.repeat(513) }), '/webhook_secret'],
  ['an unknown event', withUrl({ webhook_events: ['message_received'] }), '/webhook_events/0'],
  ['a repeated event', withUrl({ webhook_events: ['event_received', 'event_received'] }), '/webhook_events'],
  ['events that are not an array', withUrl({ webhook_events: 'event_received' }), '/webhook_events'],
]

function withUrl(more: object) {
  return { name: 'x', webhook_url: URL, ...more }
}

test('a creation with an invalid body is refused with the path of the mistake, and leaves nothing', {
  rules: [
    'channel.invalid-creation-is-400',
    'channel.webhook-fields-need-webhook-url',
    'api.repeated-list-items-are-400',
  ],
}, async (t) => {
  const hub = await startHub(t, { lookup })
  const acme = await hub.organization()

  for (const [what, body, path] of INVALID) {
    const refused = await acme.post('/api/v1/channels', body)

    assert.equal(refused.status, 400, what)
    assert.equal(refused.body.error.code, 'INVALID_REQUEST', what)
    const paths = refused.body.error.details.issues.map((issue: { path: string }) => issue.path)
    assert.ok(paths.includes(path), `${what}: ${paths.join()}`)
  }
  assert.equal(await countCreatedRows(hub, acme.organizationId), 0)
})

const REFUSED_DESTINATIONS = [
  ['http', 'http://hooks.example.com/in'],
  ['another port', 'https://hooks.example.com:8443/in'],
  ['a user name and password', 'https://ana:pass@hooks.example.com/in'],
  ['a private address', 'https://10.0.0.1/in'],
  ['a loopback address', 'https://127.0.0.1/in'],
  ['an IPv6 loopback address', 'https://[::1]/in'],
  ['a link-local address', 'https://169.254.169.254/latest'],
  ['a local name', 'https://localhost/in'],
  ['a name with a private address', 'https://private.example.com/in'],
  ['a name with a loopback address', 'https://loopback.example.com/in'],
  ['a name with a link-local address', 'https://metadata.example.com/in'],
  ['a name with a public and a private address', 'https://mixed.example.com/in'],
  ['a name with a public and a private IPv6 address', 'https://mixed6.example.com/in'],
  ['a name without an address', 'https://empty.example.com/in'],
  ['a name that does not exist', 'https://nowhere.example.com/in'],
] as const

test('a webhook_url with a forbidden destination is WEBHOOK_URL_NOT_ALLOWED, and leaves nothing', {
  rules: ['destination.is-a-public-host'],
}, async (t) => {
  const hub = await startHub(t, { lookup })
  const acme = await hub.organization()

  for (const [what, url] of REFUSED_DESTINATIONS) {
    const refused = await acme.post('/api/v1/channels', { name: 'Padaria', webhook_url: url })

    assert.equal(refused.status, 400, what)
    assert.equal(refused.body.error.code, 'WEBHOOK_URL_NOT_ALLOWED', what)
  }
  assert.equal(await countCreatedRows(hub, acme.organizationId), 0)
})

test('a webhook_url needs webhooks:write too, and a key without it is 403 with the name of the scope', {
  rules: ['auth.compat-creation-needs-webhooks-write'],
}, async (t) => {
  const hub = await startHub(t, { lookup })
  const acme = await hub.organization(SCOPES.filter((scope) => scope !== 'webhooks:write'))
  const holder = await hub.organization(['channels:write', 'webhooks:write'])

  for (const url of [URL, 'https://private.example.com/in']) {
    const refused = await acme.post('/api/v1/channels', { name: 'Padaria', webhook_url: url })

    assert.deepEqual([refused.status, refused.body.error.code], [403, 'INSUFFICIENT_SCOPE'])
    assert.partialDeepStrictEqual(refused.body.error.details, { scope: 'webhooks:write' })
  }
  assert.equal(await countCreatedRows(hub, acme.organizationId), 0)
  assert.equal((await holder.post('/api/v1/channels', withUrl({}))).status, 201)
  assert.equal((await acme.post('/api/v1/channels', { name: 'Padaria' })).status, 201)
})

test('a name that resolves only to public addresses is allowed', async (t) => {
  const hub = await startHub(t, { lookup })
  const acme = await hub.organization()

  const created = await acme.post('/api/v1/channels', { name: 'Padaria', webhook_url: URL })

  assert.equal(created.status, 201)
})

test('a secret may have 16 to 512 characters, and a URL 2048', async (t) => {
  const hub = await startHub(t, { lookup })
  const acme = await hub.organization()
  const longestUrl = `${URL}?`.padEnd(2048, 'x')

  const shortest = await acme.post('/api/v1/channels', withUrl({ webhook_secret: 'x'.repeat(16) }))
  const longest = await acme.post('/api/v1/channels', {
    ...withUrl({ webhook_secret: 'x'.repeat(512) }),
    webhook_url: longestUrl,
  })

  assert.deepEqual([shortest.status, longest.status], [201, 201])
})

test('a private destination that the operator allows is accepted', {
  rules: ['channel.compat-endpoint-url-is-checked'],
}, async (t) => {
  const hub = await startHub(t, { lookup, env: { WEBHOOK_ALLOWED_DESTINATIONS: '10.0.0.0/8:8080' } })
  const acme = await hub.organization()

  await createChannel(acme, { webhook_url: 'http://10.1.2.3:8080/in' })
  const other = await acme.post('/api/v1/channels', { name: 'x', webhook_url: 'http://10.1.2.3:8081/in' })

  assert.equal(other.body.error.code, 'WEBHOOK_URL_NOT_ALLOWED')
})

test('a name with a control character or of blanks alone is refused, of a channel, an endpoint and a key', {
  rules: ['api.names-are-one-line'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { channel } = (await acme.post('/api/v1/channels', { name: 'Padaria 🥐' })).body.data
  const endpoint = { url: 'https://example.com/hook', payload_mode: 'normalized', all_channels: true, event_types: [] }

  for (const name of ['x\n', 'a\tb', ' ', '\u0007']) {
    const refused = [
      await acme.post('/api/v1/channels', { name }),
      await acme.patch(`/api/v1/channels/${channel.id}`, { name }),
      await acme.post('/api/v1/webhooks', { ...endpoint, name }),
      await acme.post('/api/v1/api-keys', { name, scopes: ['messages:send'] }),
    ]
    for (const { status, body } of refused)
      assert.deepEqual([status, body.error?.details.issues[0].reason], [400, 'not_one_line'], JSON.stringify(body))
  }
})
