import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../../../../test/hub.ts'
import { countBlocksRead, countRowsRead, explainStatement, openRecordingPool } from '../../../../test/query-plans.ts'
import { newId } from '../../../kernel/ids.ts'
import { TYPED } from './test/fixture.ts'

const ROWS = 12_000
/** A batch looks through 1,000 messages or 500 of the others, and looks up an event or an attempt for each. */
const ROWS_READ_MAX = 4000
const BLOCKS_READ_MAX = 12_000
const REPEATABLE = /^\s*(select|with|update|delete)\b/

test('no statement of an erasure reads more than its batch, with thousands of rows of the person and of others', {
  rules: ['erasure.statements-are-bounded'],
}, async (t) => {
  const { sql, statements } = await openRecordingPool(t)
  const hub = await startHub(t, { installation: { sql }, hasTimers: false, env: { BILLING: 'off' } })
  const owner = await hub.person()
  const [organizationId, other, channelId, endpointId] = [owner.organizationId, newId(), newId(), newId()]
  for (const id of [organizationId, other]) {
    await hub.sql`
      insert into messages (organization_id, channel_id, id, direction, type, status, recipient, content)
      select ${id}, ${channelId}::uuid, hub_id(), 'outbound', 'text', 'sent',
        case when n % 4 = 0 then ${TYPED} else '5511912345678' end, '{"body":"x"}'
      from generate_series(1, ${ROWS}) n`
    await hub.sql`
      insert into events (organization_id, id, kind, channel_id, occurred_at, body)
      select organization_id, id, 'message.sent', channel_id, hub_now(), convert_to(json_build_object('data', json_build_object(
        'message', json_build_object('direction', 'outbound', 'to', recipient)))::text, 'UTF8')
      from messages
      where organization_id = ${id}`
    await hub.sql`
      insert into deliveries (organization_id, endpoint_id, id, event_id, event_kind, status, attempts, due_at, created_at)
      select organization_id, ${endpointId}::uuid, id, id, kind, 'succeeded', 1, hub_now(), hub_now()
      from events
      where organization_id = ${id}`
    await hub.sql`
      insert into delivery_queue (organization_id, endpoint_id, id, event_id, event_kind, generation)
      select organization_id, ${endpointId}::uuid, hub_id(), id, kind, 1
      from events
      where organization_id = ${id}`
    await hub.sql`
      insert into delivery_attempts (organization_id, delivery_id, id, number, response_body)
      select organization_id, id, id, 1, 'ok'
      from deliveries
      where organization_id = ${id}`
  }
  await hub.sql`
    insert into callbacks (id, organization_id, body)
    select hub_id(), (array[${organizationId}, ${other}, null]::uuid[])[n % 3 + 1], convert_to('{"entry":[{"to":"' || case when n % 4 = 0 then ${TYPED} else '' end || '"}]}', 'UTF8')
    from generate_series(1, ${ROWS}) n`
  await hub.sql`analyze`
  const path = `/console/organizations/${organizationId}/erasures`
  const { id } = (await owner.post(path, { phone: TYPED })).body.data.erasure
  statements.length = 0

  for (let minutes = 0; minutes < 5; minutes++) {
    await hub.clock.advance('1 minute')
    await hub.context.erasureWorker.runAll()
  }
  const { status, counts } = (await owner.get(`${path}/${id}`)).body.data.erasure
  const sent = statements.filter(({ text }) => REPEATABLE.test(text))
  const scans = sent.filter(({ text }) => /from callbacks/.test(text))
  const texts = [...Map.groupBy(sent, ({ text }) => text).values()]

  assert.equal(status, 'done')
  assert.deepEqual([counts.messages_sent, counts.events, counts.responses], [ROWS / 4, ROWS / 4, ROWS / 4])
  // A third of the callbacks are another organization's.
  assert.ok(scans.length >= 16 && scans.length < 20, `${scans.length} scans of callbacks`)
  for (const group of texts) {
    for (const statement of [group[0], group[Math.floor(group.length / 2)], group.at(-1)]) {
      if (!statement) continue
      const plan = await explainStatement(sql, statement)
      const [rows, blocks] = [countRowsRead(plan), countBlocksRead(plan)]
      assert.ok(rows <= ROWS_READ_MAX, `${rows} rows:\n${statement.text}\n${JSON.stringify(plan)}`)
      assert.ok(blocks <= BLOCKS_READ_MAX, `${blocks} blocks:\n${statement.text}\n${JSON.stringify(plan)}`)
    }
  }
})
