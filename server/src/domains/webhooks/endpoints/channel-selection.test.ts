import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../../test/client.ts'
import { createChannel, holdTransaction, waitUntilBlocked } from '../../../../test/hub-with-upstream.ts'
import { newId } from '../../../kernel/ids.ts'
import { createWebhook, getWebhook, readRow, startWithDns, URL } from './test/webhooks.ts'

function assertContradiction(refused: Answer, path = '/channel_ids'): void {
  assert.equal(refused.status, 400)
  assert.equal(refused.body.error.code, 'INVALID_WEBHOOK')
  const paths = refused.body.error.details.issues.map((issue: { path: string }) => issue.path)
  assert.deepEqual(paths, [path])
}

test('channel_ids must be empty with all_channels and not empty without', {
  rules: ['endpoint.all-channels-excludes-a-list', 'endpoint.no-channels-at-all-is-400'],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)
  const body = { name: 'CRM', url: URL }

  assertContradiction(await acme.post('/api/v1/webhooks', { ...body, all_channels: true, channel_ids: [id] }))
  assertContradiction(await acme.post('/api/v1/webhooks', { ...body, channel_ids: [id] }))
  assertContradiction(await acme.post('/api/v1/webhooks', { ...body, all_channels: false, channel_ids: [] }))
  assertContradiction(await acme.post('/api/v1/webhooks', { ...body, all_channels: false }))

  assert.deepEqual((await acme.get('/api/v1/webhooks')).body.data.webhooks, [])
  const every = await createWebhook(acme, { all_channels: true, channel_ids: [] })
  const some = await createWebhook(acme, { all_channels: false, channel_ids: [id] })
  assert.deepEqual([every.all_channels, every.channel_ids], [true, []])
  assert.deepEqual([some.all_channels, some.channel_ids], [false, [id]])
})

// The caller must not learn whether another organization has a channel with this id.
test("another organization's channel, an archived one and an unknown one are refused alike", async (t) => {
  const hub = await startWithDns(t)
  const [acme, other] = [await hub.organization(), await hub.organization()]
  const own = await createChannel(acme)
  const archived = await createChannel(acme)
  await acme.delete(`/api/v1/channels/${archived.id}`)
  const foreign = await createChannel(other)
  const webhook = await createWebhook(acme, { all_channels: false, channel_ids: [own.id] })
  const messages = new Set<string>()

  for (const id of [foreign.id, archived.id, newId()]) {
    const choice = { all_channels: false, channel_ids: [own.id, id] }
    const created = await acme.post('/api/v1/webhooks', { name: 'CRM', url: URL, ...choice })
    const changed = await acme.patch(`/api/v1/webhooks/${webhook.id}`, choice)
    for (const refused of [created, changed]) {
      assertContradiction(refused, '/channel_ids/1')
      messages.add(JSON.stringify([refused.body.error.message, refused.body.error.details]))
    }
  }

  assert.equal(messages.size, 1)
  assert.deepEqual((await acme.get('/api/v1/webhooks')).body.data.webhooks, [webhook])
})

type Choice = { all_channels?: boolean; channel_ids?: string[] }

/** The selection before a change, the change, and the result; null if it is refused. */
const CHANGES: [string, Choice, Choice, Choice | null][] = [
  ['some to every, with the list emptied', some('a'), { all_channels: true, channel_ids: [] }, every()],
  ['some to every, with the list left out', some('a'), { all_channels: true }, null],
  ['some to every, with a list', some('a'), { all_channels: true, channel_ids: ['a'] }, null],
  ['some to others', some('a'), { channel_ids: ['b'] }, some('b')],
  ['some to more', some('a'), { channel_ids: ['a', 'b'] }, some('a', 'b')],
  ['some to fewer', some('a', 'b'), { channel_ids: ['b'] }, some('b')],
  ['some to none', some('a'), { channel_ids: [] }, null],
  ['some to some', some('a'), { all_channels: false }, some('a')],
  ['some to none, named as such', some('a'), { all_channels: false, channel_ids: [] }, null],
  ['every to some', every(), { all_channels: false, channel_ids: ['a'] }, some('a')],
  ['every to some, with the list left out', every(), { all_channels: false }, null],
  ['every with a list beside it', every(), { channel_ids: ['a'] }, null],
  ['every with an empty list', every(), { channel_ids: [] }, every()],
  ['every to every', every(), { all_channels: true }, every()],
]

function some(...names: string[]): Choice {
  return { all_channels: false, channel_ids: names }
}

function every(): Choice {
  return { all_channels: true, channel_ids: [] }
}

for (const [what, from, named, to] of CHANGES) {
  test(`a change of channels from ${what} is ${to ? 'accepted' : 'refused'} by its result`, {
    rules: [
      'endpoint.patch-replaces-lists',
      'endpoint.no-channels-at-all-is-400',
      'endpoint.all-channels-excludes-a-list',
    ],
  }, async (t) => {
    const hub = await startWithDns(t)
    const acme = await hub.organization()
    const ids: Record<string, string> = { a: (await createChannel(acme)).id, b: (await createChannel(acme)).id }
    const spell = ({ channel_ids, ...rest }: Choice) => ({
      ...rest,
      ...(channel_ids && { channel_ids: channel_ids.map((name) => ids[name] ?? '') }),
    })
    const webhook = await createWebhook(acme, spell(from))

    const changed = await acme.patch(`/api/v1/webhooks/${webhook.id}`, spell(named))

    if (!to) assertContradiction(changed)
    const { all_channels, channel_ids } = await getWebhook(acme, webhook.id)
    assert.deepEqual({ all_channels, channel_ids }, spell(to ?? from))
  })
}

test('an endpoint whose channels were all deleted accepts changes other than of its channels', {
  rules: ['endpoint.without-channels-can-be-changed'],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id: channelId } = await createChannel(acme)
  const { id } = await createWebhook(acme, { all_channels: false, channel_ids: [channelId] })
  await acme.delete(`/api/v1/channels/${channelId}`)
  const path = `/api/v1/webhooks/${id}`

  const renamed = await acme.patch(path, { name: 'new', url: `${URL}/two`, status: 'paused', event_types: [] })

  assert.equal(renamed.status, 200)
  const { all_channels, channel_ids } = renamed.body.data.webhook
  assert.deepEqual([all_channels, channel_ids], [false, []])
  assertContradiction(await acme.patch(path, { all_channels: false }))
  assertContradiction(await acme.patch(path, { name: 'newer', channel_ids: [] }))
  const changed = await acme.patch(path, { all_channels: true })
  assert.equal(changed.status, 200)
  assert.equal((await readRow(hub, id)).version, 3)
})

test('a channel that is being deleted cannot be linked, neither by a creation nor by a change', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const [gone, kept] = [(await createChannel(acme)).id, (await createChannel(acme)).id]
  const linked = await createWebhook(acme, { all_channels: false, channel_ids: [gone] })
  const other = await createWebhook(acme, { all_channels: false, channel_ids: [kept] })
  const choice = { all_channels: false, channel_ids: [gone] }
  const held = await holdTransaction(
    hub.sql,
    (tx) => tx`select 1 from webhook_endpoint_channels where endpoint_id = ${linked.id} for update`,
  )

  const deletion = acme.delete(`/api/v1/channels/${gone}`)
  await waitUntilBlocked(hub.sql, 1)
  const creation = acme.post('/api/v1/webhooks', { name: 'late', url: URL, ...choice })
  const change = acme.patch(`/api/v1/webhooks/${other.id}`, choice)
  await waitUntilBlocked(hub.sql, 3)
  await held.release()

  assert.equal((await deletion).status, 200)
  for (const refused of [await creation, await change]) assertContradiction(refused, '/channel_ids/0')
  const links = await hub.sql`select 1 from webhook_endpoint_channels where channel_id = ${gone}`
  assert.equal(links.length, 0)
  assert.deepEqual((await getWebhook(acme, other.id)).channel_ids, [kept])
})

test('deleting a channel removes a link that is inserted at the same time', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id: channelId } = await createChannel(acme)
  const quota = `quota:webhook_endpoints:${acme.organizationId}`
  const held = await holdTransaction(hub.sql, (tx) => tx`select pg_advisory_xact_lock(hashtextextended(${quota}, 0))`)

  const creation = createWebhook(acme, { all_channels: false, channel_ids: [channelId] })
  await waitUntilBlocked(hub.sql, 1)
  const deletion = acme.delete(`/api/v1/channels/${channelId}`)
  await waitUntilBlocked(hub.sql, 2)
  await held.release()

  const webhook = await creation
  assert.equal((await deletion).status, 200)
  assert.deepEqual((await getWebhook(acme, webhook.id)).channel_ids, [])
})

test('an endpoint whose channels are all deleted receives nothing and can be deleted', {
  rules: ['endpoint.without-channels-receives-nothing', 'endpoint.without-channels-can-be-changed'],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const [gone, other] = [await createChannel(acme), await createChannel(acme)]
  const { id } = await createWebhook(acme, { all_channels: false, channel_ids: [gone.id] })
  await acme.delete(`/api/v1/channels/${gone.id}`)
  const path = `/api/v1/webhooks/${id}`

  await hub.sql.begin((tx) =>
    hub.context.publish(
      tx,
      [gone.id, other.id, null].map((channelId) => ({
        organizationId: acme.organizationId,
        kind: 'account.update' as const,
        channelId,
        data: { change: { field: 'account_update' } },
      })),
    ),
  )
  const left = await getWebhook(acme, id)
  const log = await acme.get(`${path}/deliveries`)
  const deleted = await acme.delete(path)

  assert.deepEqual([left.all_channels, left.channel_ids, left.status], [false, [], 'active'])
  assert.deepEqual(log.body, { data: { deliveries: [] } })
  assert.equal(deleted.status, 200)
  assert.equal((await acme.get(path)).status, 404)
})
