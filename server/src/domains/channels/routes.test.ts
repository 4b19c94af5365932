import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../../../test/hub.ts'
import { createChannel, listAuditEntries, listEvents, startHubWithUpstream } from '../../../test/hub-with-upstream.ts'

const FIELDS = [
  'coexistence',
  'created_at',
  'display_phone_number',
  'external_id',
  'graph_url',
  'id',
  'import_history',
  'monthly_budget',
  'name',
  'phone_number_id',
  'quality_rating',
  'status',
  'type',
  'updated_at',
  'username',
  'verified_name',
  'waba_id',
]

test('a creation without webhook_url returns the channel with its token and nothing else', {
  rules: ['token.begins-with-hub-ch', 'channel.creation-is-201-with-token', 'channel.is-pending-until-connected'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  const created = await acme.post('/api/v1/channels', { name: 'Padaria', type: 'messaging', external_id: 'crm-7' })

  assert.equal(created.status, 201)
  assert.deepEqual(Object.keys(created.body.data), ['channel'])
  const { id, token, ...rest } = created.body.data.channel
  assert.deepEqual(rest, { type: 'messaging', status: 'pending', external_id: 'crm-7' })
  assert.match(token, /^hub_ch_[0-9A-Za-z]{49}$/)
  assert.equal((await acme.get(`/api/v1/channels/${id}`)).body.data.channel.name, 'Padaria')
})

test('a creation without webhook_url creates no endpoint and no link', {
  rules: ['channel.webhook-url-selects-compat-mode'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  await createChannel(acme)

  const rows = await hub.sql`
    select id from webhook_endpoints where organization_id = ${acme.organizationId}
    union all
    select id from connect_links where organization_id = ${acme.organizationId}`
  assert.equal(rows.length, 0)
})

test('the length limits of name and external id are counted in characters of any script', {
  rules: ['channel.creation-is-201-with-token'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  const longest = await acme.post('/api/v1/channels', { name: '🥐'.repeat(100), external_id: 'é'.repeat(200) })
  const shortest = await acme.post('/api/v1/channels', { name: 'x', external_id: null })

  assert.deepEqual([longest.status, shortest.status], [201, 201])
  assert.equal(longest.body.data.channel.external_id, 'é'.repeat(200))
  assert.equal(shortest.body.data.channel.external_id, null)
})

test('a creation publishes an event with the whole channel and is recorded in the audit log', {
  rules: ['event.channel-data-has-reason'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  const { id } = await createChannel(acme, { external_id: 'crm-7' })

  const channel = {
    id,
    name: 'Padaria',
    external_id: 'crm-7',
    status: 'pending',
    phone_number_id: null,
    waba_id: null,
    display_phone_number: null,
    verified_name: null,
    coexistence: false,
  }
  assert.deepEqual([...(await listEvents(hub.sql, id))], [{ kind: 'channel.created', data: { channel, reason: null } }])
  const [entry, ...others] = await listAuditEntries(acme, id)
  assert.equal(others.length, 0)
  assert.equal(entry?.action, 'channel.created')
  assert.deepEqual(entry?.actor, { type: 'api_key', id: acme.keyId, name: 'test key' })
  assert.deepEqual(entry?.details, { name: 'Padaria' })
})

test('channels are listed newest first, each equal to the channel read by id', {
  rules: ['channel.list-shows-the-organizations', 'channel.can-be-read', 'token.is-shown-once'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const older = await createChannel(acme, { name: 'older' })
  const newer = await createChannel(acme, { name: 'newer' })

  const list = await acme.get('/api/v1/channels')

  assert.equal(list.status, 200)
  const { channels } = list.body.data
  assert.deepEqual(
    channels.map(({ id }: { id: string }) => id),
    [newer.id, older.id],
  )
  assert.deepEqual((await acme.get(`/api/v1/channels/${older.id}`)).body.data.channel, channels[1])
})

test('an archived channel is not listed', { rules: ['deletion.archived-channel-is-hidden'] }, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const [gone, kept] = [await createChannel(acme), await createChannel(acme)]

  await acme.delete(`/api/v1/channels/${gone.id}`)

  const { channels } = (await acme.get('/api/v1/channels')).body.data
  assert.deepEqual(
    channels.map(({ id }: { id: string }) => id),
    [kept.id],
  )
})

test('a channel has subscribed_ok, and the ids of its number and account, only after it was connected', {
  rules: ['channel.is-one-phone-number', 'channel.subscribed-ok-is-the-last-check', 'channel.can-be-read'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id } = await createChannel(acme)
  const connected = await setup.connect(acme)

  const before = await acme.get(`/api/v1/channels/${id}`)
  const after = await acme.get(`/api/v1/channels/${connected.id}`)

  assert.deepEqual(Object.keys(before.body.data.channel).sort(), FIELDS)
  const { status, display_phone_number, quality_rating, coexistence } = before.body.data.channel
  assert.deepEqual([status, display_phone_number, quality_rating, coexistence], ['pending', null, null, false])
  const { phone_number_id, waba_id, subscribed_ok } = after.body.data.channel
  assert.deepEqual([before.body.data.channel.phone_number_id, before.body.data.channel.waba_id], [null, null])
  assert.deepEqual([phone_number_id, waba_id], [connected.number.phoneNumberId, connected.number.wabaId])
  assert.equal(subscribed_ok, true)
})

test('a change of the name keeps the external id, and vice versa', {
  rules: ['channel.patch-changes-name-and-external-id', 'api.success-is-one-data-member'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme, { name: 'old', external_id: 'crm-7' })

  const renamed = await acme.patch(`/api/v1/channels/${id}`, { name: 'new' })
  const relabeled = await acme.patch(`/api/v1/channels/${id}`, { external_id: 'crm-8' })
  const both = await acme.patch(`/api/v1/channels/${id}`, { name: 'last', external_id: 'crm-9' })

  const seen = [renamed, relabeled, both].map(({ body }) => [body.data.channel.name, body.data.channel.external_id])
  assert.deepEqual(seen, [
    ['new', 'crm-7'],
    ['new', 'crm-8'],
    ['last', 'crm-9'],
  ])
  assert.deepEqual((await acme.get(`/api/v1/channels/${id}`)).body, both.body)
  const entries = (await listAuditEntries(acme, id)).filter(({ action }) => action === 'channel.updated')
  assert.deepEqual(
    entries.map(({ details }) => details),
    [
      { name: 'new', changes: { name: { from: 'old', to: 'new' } } },
      { external_id: 'crm-8', changes: { external_id: { from: 'crm-7', to: 'crm-8' } } },
      {
        name: 'last',
        external_id: 'crm-9',
        changes: { name: { from: 'new', to: 'last' }, external_id: { from: 'crm-8', to: 'crm-9' } },
      },
    ],
  )
})

test('null clears the external id', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme, { external_id: 'crm-7' })

  const cleared = await acme.patch(`/api/v1/channels/${id}`, { external_id: null })

  assert.equal(cleared.status, 200)
  assert.equal(cleared.body.data.channel.external_id, null)
})

test('a change updates updated_at and keeps created_at', { rules: ['channel.can-be-read'] }, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)
  const before = (await acme.get(`/api/v1/channels/${id}`)).body.data.channel
  await hub.clock.advance('1 minute')

  const after = (await acme.patch(`/api/v1/channels/${id}`, { name: 'new' })).body.data.channel

  assert.equal(after.created_at, before.created_at)
  assert.ok(after.updated_at > before.updated_at)
})

const INVALID_CHANGES: [string, unknown][] = [
  ['nothing', {}],
  ['no body', undefined],
  ['an empty name', { name: '' }],
  ['a name that is too long', { name: 'x'.repeat(101) }],
  ['null as name', { name: null }],
  ['an external id that is too long', { external_id: 'x'.repeat(201) }],
  ['an external id that is a number', { external_id: 7 }],
  ['an unknown property', { name: 'new', status: 'active' }],
]

test('an invalid change is refused and changes nothing', {
  rules: ['channel.patch-changes-name-and-external-id'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)

  for (const [what, body] of INVALID_CHANGES) {
    const refused = await acme.patch(`/api/v1/channels/${id}`, body)

    assert.equal(refused.status, 400, what)
    assert.equal(refused.body.error.code, 'INVALID_REQUEST', what)
  }
  assert.equal((await acme.get(`/api/v1/channels/${id}`)).body.data.channel.name, 'Padaria')
})

// A client may store ids in upper case, as some databases print them.
test('an id in upper case is the same channel, and its changes are recorded under the lower-case id', {
  rules: ['api.ids-are-uuidv7'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)
  const token = await hub.channelToken(acme.organizationId, id, ['channels:read'])
  const path = `/api/v1/channels/${id.toUpperCase()}`

  const shown = await acme.get(path)
  const byToken = await token.get(path)
  const renamed = await acme.patch(path, { name: 'new' })
  const deleted = await acme.delete(path)

  assert.deepEqual(
    [shown, byToken, renamed, deleted].map(({ status }) => status),
    [200, 200, 200, 200],
  )
  assert.equal(shown.body.data.channel.id, id)
  const entries = await listAuditEntries(acme, id)
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['channel.created', 'channel.updated', 'channel.deleted'],
  )
  assert.deepEqual(await listAuditEntries(acme, id.toUpperCase()), entries)
})

test('an id that is not a UUID is 400', { rules: ['api.malformed-id-is-400'] }, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  const refused = await acme.get('/api/v1/channels/7')

  assert.equal(refused.status, 400)
})
