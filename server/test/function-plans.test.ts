import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startInbound } from '../src/domains/inbound/test/fixture.ts'
import { buildStatus, buildText } from '../src/domains/inbound/test/samples.ts'
import type { Tx } from '../src/kernel/db/pool.ts'
import { countRowsOfFunction, openRecordingPool } from './query-plans.ts'

const ROWS = 5000
/** Limits what a function may read to take two messages or statuses. */
const ROWS_READ_MAX = 60
const BLOCKS_READ_MAX = 600
const FUNCTION = /\b(?<name>[a-z_]+_\d+)\(/

test('functions read by their indexes, even with plans from when the tables were small', async (t) => {
  const { sql, statements } = await openRecordingPool(t)
  const env = { WEBHOOK_ALLOWED_DESTINATIONS: '127.0.0.1:9' }
  const fixture = await startInbound(t, { installation: { sql }, hasTimers: false, isCalledBack: false, env })
  const { acme, channel, deliverMessages } = fixture
  const [organizationId, channelId] = [acme.organizationId, channel.id]
  const webhook = await acme.post('/api/v1/webhooks', { name: 'crm', url: 'http://127.0.0.1:9' })
  assert.equal(webhook.status, 201, webhook.text)
  const image = { type: 'image', image: { id: '1', mime_type: 'image/png', sha256: 'x' } }
  const ana = { profile: { name: 'Ana' }, wa_id: '5511987654321', user_id: 'BR.1' }
  const messages = (n: number) => ({
    contacts: [ana],
    messages: [buildText(`wamid.${n}`), buildText(`wamid.image.${n}`, image)],
  })
  const statuses = ['wamid.known', 'wamid.other'].map((wamid) => buildStatus(wamid, 'sent'))
  await deliverMessages(messages(1))
  await deliverMessages({ statuses })
  statements.length = 0
  await deliverMessages(messages(2))
  await deliverMessages({ statuses: statuses.map((status) => ({ ...status, status: 'read' })) })
  const event = { organizationId, channelId, kind: 'channel.status_changed', data: {} } as never
  await sql.begin((tx) => fixture.hub.context.publishing.publish(tx, [event]))

  /** As if the messages and the events of the statement had not been written. The messages of statuses stay. */
  async function forget(tx: Tx): Promise<void> {
    await tx`delete from seen_changes where organization_id = ${organizationId}`
    await tx`delete from message_wamids where organization_id = ${organizationId} and wamid like '%.2'`
    await tx`delete from messages where organization_id = ${organizationId} and upstream_message_id like '%.2'`
    await tx`delete from callbacks where organization_id = ${organizationId}`
    await tx`delete from events where organization_id = ${organizationId}`
  }

  async function fillTables(tx: Tx): Promise<void> {
    await tx.unsafe(`
      create temporary table others on commit drop as
        select gen_random_uuid() as id, gen_random_uuid() as organization_id, gen_random_uuid() as other, n
        from generate_series(1, ${ROWS}) n;
      insert into organizations (id, name) select organization_id, 'n' from others;
      insert into channels (organization_id, id, name, status) select organization_id, id, 'n', 'active' from others;
      insert into channel_numbers (organization_id, channel_id, phone_number_id, waba_id, display_digits)
        select organization_id, id, 'p' || n, 'w' || n, n from others;
      insert into seen_changes (organization_id, channel_id, fingerprint)
        select '${organizationId}'::uuid, '${channelId}'::uuid, id from others
        union all select organization_id, id, other from others;
      insert into message_wamids (organization_id, channel_id, wamid, message_id)
        select '${organizationId}'::uuid, '${channelId}'::uuid, 'filled.' || n, id from others
        union all select organization_id, id, 'wamid.known', other from others;
      insert into messages (organization_id, channel_id, id, direction, type, status, upstream_message_id)
        select '${organizationId}'::uuid, '${channelId}'::uuid, hub_id(), 'outbound', 'text', 'sent', 'filled.' || n from others
        union all select organization_id, id, hub_id(), 'outbound', 'text', 'sent', 'wamid.known' from others;
      insert into contacts (organization_id, channel_id, id, wa_id)
        select '${organizationId}'::uuid, '${channelId}'::uuid, id, n from others
        union all select organization_id, id, other, n from others;
      insert into channel_media (organization_id, channel_id, media_id)
        select '${organizationId}'::uuid, '${channelId}'::uuid, 'filled ' || n from others
        union all select organization_id, id, '1' from others;
      insert into webhook_endpoints
        (organization_id, id, name, url, secret, event_types, payload_mode, delivery_format, all_channels)
        select organization_id, id, 'Other', 'https://x.example', '', '{}', 'normalized', 'native', false from others;
      insert into webhook_endpoint_channels (organization_id, endpoint_id, channel_id)
        select organization_id, id, other from others;
      insert into listeners (organization_id, id, secret_hash, event_types, payload_mode, expires_at)
        select organization_id, id, '', '{}', 'normalized', hub_now() + interval '1 hour' from others`)
  }

  const calls = new Map(statements.map((statement) => [FUNCTION.exec(statement.text)?.groups?.name ?? '', statement]))
  calls.delete('')
  assert.deepEqual([...calls.keys()].sort(), ['lock_reported_messages_1', 'publish_events_1', 'take_callbacks_1'])
  for (const [name, statement] of calls) {
    const { rows, blocks } = await countRowsOfFunction(sql, statement, { prepare: forget, fillTables })
    const read = Object.values(rows).reduce((sum, count) => sum + count, 0)
    t.diagnostic(`${name}: ${blocks} blocks, ${JSON.stringify(rows)}`)
    assert.ok(
      read <= ROWS_READ_MAX && blocks <= BLOCKS_READ_MAX,
      `${name} reads ${blocks} blocks, ${JSON.stringify(rows)}`,
    )
    assert.ok(read > 0, name)
  }
})
