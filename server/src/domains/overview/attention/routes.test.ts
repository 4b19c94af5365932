import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../../../test/client.ts'
import { createChannel, createLink } from '../../../../test/hub-with-upstream.ts'
import { startReceiver } from '../../../../test/receiver.ts'
import { startBilling } from '../../billing/test/fixture.ts'
import { startSending } from '../../messages/test/fixture.ts'
import { setFailures } from '../../webhooks/endpoints/test/webhooks.ts'
import { buildEnv, createRequests, startWebhooks } from '../../webhooks/test/fixture.ts'

async function list(person: Client) {
  const answer = await person.get('/console/attention')
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.attention
}

test('paused endpoints, channels that do not work, unknown sends and expired links need attention, in this order', {
  rules: ['statistics.attention-is-sorted-by-urgency', 'statistics.attention-covers-known-problems'],
}, async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer(() => 503)
  const fixture = await startSending(t, { env: buildEnv(receiver) })
  const { hub, acme, channel, connect, move, send, fault } = fixture
  const [ana, bob] = [await hub.person({ organizationId: acme.organizationId, role: 'viewer' }), await hub.person()]
  const { endpoint, publishMany } = createRequests(hub, receiver, acme)
  const second = await connect(acme)
  const pending = await createChannel(acme, { name: 'Nova' })
  await createLink(acme, pending.id)
  const waiting = await createChannel(acme, { name: 'Outra' })
  await fault('reset_after', '/messages')
  await send()
  assert.deepEqual(
    (await list(ana)).map(({ kind }: { kind: string }) => kind),
    ['unknown_sends'],
  )
  await hub.clock.advance('25 hours')
  await createLink(acme, waiting.id)
  const failing = await endpoint({ event_types: ['account.update'] })
  await publishMany(20)
  await setFailures(hub, acme.organizationId, failing.id, 19)
  await hub.deliver()
  await move(acme, second, 'FLAGGED')
  await hub.sql`
    update channels set status = 'disconnected', status_since = hub_now() where id = ${channel.id}`

  const items = await list(ana)

  const found = items.map((item: { kind: string; target: { type: string; id: string } }) => [
    item.kind,
    item.target.type,
    item.target.id,
  ])
  assert.deepEqual(found, [
    ['channel_disconnected', 'channel', channel.id],
    ['endpoint_paused', 'webhook', failing.id],
    ['channel_degraded', 'channel', second.id],
    ['unknown_sends', 'channel', channel.id],
    ['link_expired', 'channel', pending.id],
  ])
  const [, paused, degraded, unknown, expired] = items
  assert.deepEqual(paused.details, {
    consecutive_failures: 20,
    held: 20,
    last_error_code: 'HTTP_503',
    host: receiver.destination,
    by_hub: true,
  })
  assert.deepEqual([unknown.details, expired.target.name], [{ count: 1 }, 'Nova'])
  assert.ok(Math.abs(Date.parse(degraded.since) - hub.clock.now().getTime()) < 600_000)
  for (const { since } of items) assert.ok(Date.parse(since) > 0)
  assert.deepEqual(await list(bob), [])
})

test('a template needs attention while its latest status is a refusal', {
  rules: ['statistics.attention-covers-known-problems'],
}, async (t) => {
  const { hub, acme, publish } = await startWebhooks(t)
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const channel = await createChannel(acme)
  const report = (id: string, status: string | null, more: object = {}) =>
    publish({
      kind: 'template.status',
      channelId: channel.id,
      data: {
        template: { id, name: `t${id}`, language: 'pt_BR', category: null, status },
        change: { field: 'x', ...more },
      },
    })
  await report('1', 'REJECTED', { reason: 'INVALID_FORMAT' })
  await report('1', null)
  await report('2', 'REJECTED')
  await report('2', 'APPROVED')

  const items = await list(ana)
  await hub.clock.advance('8 days')

  assert.equal(items.length, 1)
  const [{ kind, target, details }] = items
  assert.deepEqual([kind, target], ['template_rejected', { type: 'template', id: '1', name: 't1' }])
  assert.deepEqual(details, {
    status: 'REJECTED',
    language: 'pt_BR',
    reason: 'INVALID_FORMAT',
    channel_id: channel.id,
    channel_name: 'Padaria',
  })
  assert.deepEqual(await list(ana), [])
})

test('a quota of which four fifths are used needs attention, and no quota with billing off', {
  rules: ['statistics.attention-covers-known-problems'],
}, async (t) => {
  const fixture = await startBilling(t)
  const ana = await fixture.hub.person()
  await fixture.createChannels(ana, 1)
  const before = await list(ana)
  await fixture.createChannels(ana, 1)

  const items = await list(ana)

  assert.deepEqual(before, [])
  assert.deepEqual(
    items.map(({ kind, target, details }: { kind: string; target: object; details: object }) => [
      kind,
      target,
      details,
    ]),
    [
      [
        'quota',
        { type: 'organization', id: ana.organizationId, name: "Ana's" },
        { quota: 'channels', plan: 'free', limit: 2, used: 2 },
      ],
    ],
  )
})
