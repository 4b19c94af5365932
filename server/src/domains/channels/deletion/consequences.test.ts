import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer, startHub } from '../../../../test/hub.ts'
import {
  createChannel,
  createLink,
  holdTransaction,
  listAuditEntries,
  listEvents,
  readChannelRow,
  startHubWithUpstream,
  waitUntilBlocked,
} from '../../../../test/hub-with-upstream.ts'

const ROUTES: [string, string, unknown?][] = [
  ['GET', ''],
  ['PATCH', '', { name: 'x' }],
  ['POST', '/connect-link'],
  ['POST', '/regenerate-token'],
  ['GET', '/diagnostics'],
  ['GET', '/templates'],
  ['POST', '/templates', { name: 'x', language: 'en', category: 'UTILITY', components: [] }],
  ['POST', '/connection', { access_token: 'x', waba_id: '1', phone_number_id: '2' }],
]

test('a deleted channel is 404 on every route', {
  rules: ['error.absent-and-foreign-are-404', 'deletion.archives-the-channel', 'deletion.archived-channel-is-hidden'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id } = await setup.connect(acme)

  await acme.delete(`/api/v1/channels/${id}`)

  for (const [method, path, body] of ROUTES) {
    const answer = await acme.send(method, `/api/v1/channels/${id}${path}`, { body })
    assert.equal(answer.status, 404, `${method} ${path} answered ${answer.text}`)
  }
  const form = new FormData()
  form.set('file', new Blob(['%PDF-1.7'], { type: 'application/pdf' }), 'a.pdf')
  const headers = bearer(acme.key)
  const url = `${setup.hub.url}/api/v1/channels/${id}/media`
  assert.equal((await fetch(url, { method: 'POST', headers, body: form })).status, 404)
  assert.deepEqual((await acme.get('/api/v1/channels')).body.data.channels, [])
})

test('a deletion revokes the channel token at once in every process', {
  rules: ['deletion.revokes-the-token'],
}, async (t) => {
  const [hub, other] = [await startHub(t), await startHub(t)]
  const acme = await hub.organization()
  const { id, token } = await createChannel(acme)
  const path = `/api/v1/channels/${id}`
  assert.equal((await other.anonymous.get(path, { headers: bearer(token) })).status, 200)

  await acme.delete(path)

  assert.equal((await hub.anonymous.get(path, { headers: bearer(token) })).status, 401)
  assert.equal((await other.anonymous.get(path, { headers: bearer(token) })).status, 401)
})

test('every link of a deleted channel is 404, whether open, used or replaced', {
  rules: ['connect.unknown-link-is-404', 'deletion.ends-pending-links'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id, link: used } = await setup.connect(acme)
  const superseded = await createLink(acme, id)
  const open = await createLink(acme, id)

  await acme.delete(`/api/v1/channels/${id}`)

  for (const link of [used, superseded, open]) {
    const shown = await setup.hub.anonymous.get(`/api/v1/connect/${link}`)
    const posted = await setup.hub.anonymous.post(`/api/v1/connect/${link}`, { code: 'x', waba_id: '1' })
    assert.deepEqual([shown.status, posted.status], [404, 404])
  }
})

test('the endpoint of a deleted channel stays without the channel, and other endpoints keep theirs', {
  rules: ['deletion.unlinks-from-endpoints'],
}, async (t) => {
  const hub = await startHub(t, { lookup: async () => [{ address: '93.184.216.34', family: 4 }] })
  const acme = await hub.organization()
  const body = { name: 'Padaria', webhook_url: 'https://hooks.example.com/in' }
  const gone = (await acme.post('/api/v1/channels', body)).body.data
  const kept = (await acme.post('/api/v1/channels', body)).body.data

  await acme.delete(`/api/v1/channels/${gone.channel.id}`)

  const endpoints = await hub.sql`
    select e.id, e.status, e.all_channels, c.channel_id
    from webhook_endpoints e
    left join webhook_endpoint_channels c on c.endpoint_id = e.id
    where e.organization_id = ${acme.organizationId}
    order by e.id`
  assert.deepEqual(
    [...endpoints],
    [
      { id: gone.webhook_id, status: 'active', all_channels: false, channel_id: null },
      { id: kept.webhook_id, status: 'active', all_channels: false, channel_id: kept.channel.id },
    ],
  )
})

test('a deletion moves updated_at of the endpoints that list the channel, and of no other', {
  rules: ['endpoint.updated-at-follows-every-change'],
}, async (t) => {
  const hub = await startHub(t, { lookup: async () => [{ address: '93.184.216.34', family: 4 }] })
  const acme = await hub.organization()
  const webhook_url = 'https://hooks.example.com/in'
  const gone = await createChannel(acme, { webhook_url })
  await createChannel(acme, { webhook_url })
  await acme.post('/api/v1/webhooks', { name: 'all', url: webhook_url })
  const readTimes = async () => {
    const webhooks = (await acme.get('/api/v1/webhooks')).body.data.webhooks as Record<string, unknown>[]
    return webhooks.map(({ channel_ids, updated_at }) => ({ isListed: `${channel_ids}` === gone.id, updated_at }))
  }
  const before = await readTimes()

  await hub.clock.advance('1 minute')
  await acme.delete(`/api/v1/channels/${gone.id}`)
  const after = await readTimes()

  assert.equal(before.filter(({ isListed }) => isListed).length, 1)
  for (const [index, { isListed, updated_at }] of before.entries()) {
    assert.equal(after[index]?.updated_at !== updated_at, isListed)
  }
})

test('a deletion and a concurrent change that lists the channel both succeed', async (t) => {
  const hub = await startHub(t, { lookup: async () => [{ address: '93.184.216.34', family: 4 }] })
  const acme = await hub.organization()
  const { channel, webhook_id } = (
    await acme.post('/api/v1/channels', { name: 'Padaria', webhook_url: 'https://hooks.example.com/in' })
  ).body.data

  // The change waits for the endpoint first, then the deletion for what the change has locked.
  const holder = await holdTransaction(
    hub.sql,
    (tx) => tx`select id from webhook_endpoints where id = ${webhook_id} for update`,
  )
  const change = acme.patch(`/api/v1/webhooks/${webhook_id}`, { channel_ids: [channel.id] })
  await waitUntilBlocked(hub.sql, 1)
  const deletion = acme.delete(`/api/v1/channels/${channel.id}`)
  await waitUntilBlocked(hub.sql, 2)
  await holder.release()

  const answers = await Promise.all([change, deletion])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual((await acme.get(`/api/v1/webhooks/${webhook_id}`)).body.data.webhook.channel_ids, [])
})

test('a deletion erases the stored upstream token and frees the number', {
  rules: ['deletion.erases-the-upstream-token', 'deletion.archives-the-channel'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id, number } = await setup.connect(acme)
  assert.ok((await readChannelRow(setup.hub.sql, id)).access_token)

  await acme.delete(`/api/v1/channels/${id}`)

  assert.equal((await readChannelRow(setup.hub.sql, id)).access_token, null)
  const again = await setup.connect(await setup.hub.organization(), { number })
  assert.equal(again.channel.status, 'active')
})

test('a deletion erases an exchanged token that waits for a PIN', {
  rules: ['deletion.erases-the-upstream-token'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id } = await createChannel(acme)
  const asked = await setup.post(await createLink(acme, id), await setup.up.number({ registered: false }))
  assert.equal(asked.body.error.details.pin_required, true)

  await acme.delete(`/api/v1/channels/${id}`)

  const [link] = await setup.hub.sql`select exchanged_token, exchanged_code from connect_links where channel_id = ${id}`
  assert.deepEqual({ ...link }, { exchanged_token: null, exchanged_code: null })
})

for (const status of ['active', 'degraded']) {
  test(`the deletion of a channel that is ${status} publishes channel.disconnected`, {
    rules: ['deletion.records-the-disconnection'],
  }, async (t) => {
    const setup = await startHubWithUpstream(t)
    const acme = await setup.hub.organization()
    const channel = await setup.connect(acme)
    if (status === 'degraded') await setup.move(acme, channel, 'FLAGGED')

    await acme.delete(`/api/v1/channels/${channel.id}`)

    const last = (await listEvents(setup.hub.sql, channel.id)).at(-1)
    assert.equal(last?.kind, 'channel.disconnected')
    assert.equal(last?.data.reason, 'deleted')
    assert.equal(last?.data.channel.status, 'disconnected')
    assert.equal(last?.data.channel.phone_number_id, channel.number.phoneNumberId)
  })
}

test('the deletion of a pending or disconnected channel publishes no event', async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const pending = await createChannel(acme)
  const lost = await setup.connect(acme)
  await setup.move(acme, lost, 'BANNED')

  for (const { id } of [pending, lost]) await acme.delete(`/api/v1/channels/${id}`)

  const kinds = async (id: string) => (await listEvents(setup.hub.sql, id)).map(({ kind }) => kind)
  assert.deepEqual(await kinds(pending.id), ['channel.created'])
  assert.deepEqual(await kinds(lost.id), ['channel.created', 'channel.connected', 'channel.disconnected'])
})

test('a deletion is recorded with its actor and its outcome', {
  rules: ['deletion.deregisters-on-request', 'deletion.unrequested-is-nao-solicitado'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)

  const deleted = await acme.delete(`/api/v1/channels/${id}`)

  const entry = (await listAuditEntries(acme, id)).at(-1)
  assert.equal(entry?.action, 'channel.deleted')
  assert.deepEqual(entry?.actor, { type: 'api_key', id: acme.keyId, name: 'test key' })
  assert.deepEqual(entry?.details, { name: 'Padaria', deregistration: 'nao-solicitado' })
  assert.equal(entry?.request_id, deleted.headers.get('x-request-id'))
})

test('a repeated deletion changes nothing and reports the first outcome, with or without deregister', {
  rules: [
    'deletion.deregisters-on-request',
    'deletion.repeat-reports-the-first-outcome',
    'deletion.unrequested-is-nao-solicitado',
  ],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const [done, plain] = [await setup.connect(acme), await setup.connect(acme)]
  await acme.delete(`/api/v1/channels/${done.id}?deregister=true`)
  await acme.delete(`/api/v1/channels/${plain.id}`)
  const [asked, entries] = [await setup.requests(), await listAuditEntries(acme, plain.id)]

  const again = await acme.delete(`/api/v1/channels/${done.id}`)
  const more = await acme.delete(`/api/v1/channels/${plain.id}?deregister=true`)

  assert.deepEqual(again.body.data, { archived: true, changed: false, deregistro: 'feito' })
  assert.deepEqual(more.body.data, { archived: true, changed: false, deregistro: 'nao-solicitado' })
  assert.deepEqual(await setup.requests(), asked)
  assert.deepEqual(await listAuditEntries(acme, plain.id), entries)
})

for (const [query, outcome] of [
  ['', 'nao-solicitado'],
  ['?deregister=true', 'feito'],
]) {
  test(`one of ten concurrent deletions with "${query}" changes the channel, and all report the same outcome`, async (t) => {
    const setup = await startHubWithUpstream(t, { env: { BILLING: 'off' } })
    const acme = await setup.hub.organization()

    for (let round = 0; round < 4; round++) {
      const { id } = await setup.connect(acme)
      const answers = await Promise.all(Array.from({ length: 10 }, () => acme.delete(`/api/v1/channels/${id}${query}`)))

      assert.deepEqual(new Set(answers.map(({ body }) => body.data.deregistro)), new Set([outcome]))
      assert.equal(answers.filter(({ body }) => body.data.changed).length, 1)
      const actions = (await listAuditEntries(acme, id)).map(({ action }) => action)
      assert.equal(actions.filter((action) => action === 'channel.deleted').length, 1)
      const events = await listEvents(setup.hub.sql, id)
      assert.equal(events.filter(({ kind }) => kind === 'channel.disconnected').length, 1)
    }
  })
}

test('a deletion concurrent with the last step of a connection is not undone by it', async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id } = await createChannel(acme)
  const link = await createLink(acme, id)
  const number = await setup.up.number()
  const held = await holdTransaction(
    setup.hub.sql,
    async (tx) => tx`select id from channels where id = ${id} for update`,
  )

  const deleting = acme.delete(`/api/v1/channels/${id}`)
  await waitUntilBlocked(setup.hub.sql, 1)
  const connecting = setup.post(link, number)
  await waitUntilBlocked(setup.hub.sql, 2)
  await held.release()
  const [deleted, connected] = await Promise.all([deleting, connecting])

  assert.deepEqual(deleted.body.data, { archived: true, changed: true, deregistro: 'nao-solicitado' })
  assert.equal(connected.status, 404)
  const { access_token, phone_number_id } = await readChannelRow(setup.hub.sql, id)
  assert.deepEqual([access_token, phone_number_id], [null, null])
})
