import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { AT, startInbound } from '../src/domains/inbound/test/fixture.ts'
import { createPartitions } from '../src/kernel/db/partitions.ts'
import { countRowsRead, explainStatement, listNodes, openRecordingPool, type Plan } from './query-plans.ts'

/** Messages of the organization, in a partition for each day. */
const ROWS = 10_000
const DAYS = 35
const DAY_MS = 86_400_000
/** Other organizations with a message each: the planner assumes that every organization has few. */
const OTHERS = 2000
/** Limits what a statement may read to write a few messages. */
const ROWS_READ_MAX = 100
const PARTITION = /^messages_(p\d+|default)$/
/** Statements that insert an event or a callback cannot run again. */
const REPEATABLE = /^\s*(select|with|update|delete)\b(?!.*insert into (events|callbacks)\b)/s

const isScan = (node: Plan) => node['Node Type'] !== 'ModifyTable' && node['Actual Loops'] > 0

/** A hub that keeps the statements it sends, and a channel with a long log among many channels with short ones. */
async function startFilled(t: TestContext) {
  const { sql, statements } = await openRecordingPool(t)
  const fixture = await startInbound(t, { installation: { sql }, hasTimers: false, isCalledBack: false })
  const { hub, channel, acme } = fixture
  const first = new Date(hub.clock.now().getTime() - DAYS * DAY_MS)
  await createPartitions(hub.sql, 'messages', first, DAYS)
  const id = `(lpad(to_hex((extract(epoch from hub_now()) * 1000)::bigint - n::bigint % ${DAYS} * ${DAY_MS}), 12, '0')
    || '70008000' || lpad(to_hex(n), 12, '0'))::uuid`
  const columns = 'organization_id, channel_id, id, direction, type, status, upstream_message_id'
  await hub.sql.unsafe(`
    insert into messages (${columns})
      select '${acme.organizationId}', '${channel.id}', ${id}, 'outbound', 'text', 'delivered', 'wamid.' || n
      from generate_series(1, ${ROWS}) n;
    insert into messages (${columns})
      select gen_random_uuid(), gen_random_uuid(), ${id}, 'outbound', 'text', 'delivered', 'wamid.' || n
      from generate_series(1, ${OTHERS}) n;
    insert into message_wamids (organization_id, channel_id, wamid, message_id)
      select organization_id, channel_id, upstream_message_id, id from messages where upstream_message_id is not null on conflict do nothing;
    insert into message_keys (organization_id, channel_id, key, body_hash, message_id)
      select organization_id, channel_id, upstream_message_id, '', id from messages where upstream_message_id is not null on conflict do nothing;
    insert into unsettled_sends (organization_id, channel_id, message_id)
      select organization_id, channel_id, id from messages where upstream_message_id is not null on conflict do nothing;
    analyze`)

  /** Asserts that no statement of `work` reads many rows when it runs again; `prepare` gives it something to do. */
  async function assertReadsFew(what: string, work: () => Promise<unknown>, prepare = async () => {}): Promise<void> {
    await prepare()
    statements.length = 0
    await work()
    const sent = [...statements]
    await prepare()
    for (const statement of sent.filter(({ text }) => REPEATABLE.test(text))) {
      const plan = await explainStatement(sql, statement)
      const read = countRowsRead(plan)
      assert.ok(read <= ROWS_READ_MAX, `${what} reads ${read} rows:\n${statement.text}\n${JSON.stringify(plan)}`)
      // A search of an index for a status reads no row, but many blocks: one for each channel.
      const scans = listNodes(plan).filter((node) => PARTITION.test(node['Relation Name'] ?? '') && isScan(node))
      for (const scan of scans)
        assert.match(scan['Index Cond'] ?? scan['TID Cond'] ?? '', /\bid = |ctid/, statement.text)
    }
  }
  return { ...fixture, assertReadsFew }
}

test('sends, repeated sends and status callbacks read no messages but their own', async (t) => {
  const { hub, acme, channel, deliverMessages, assertReadsFew } = await startFilled(t)
  const message = { to: '5511987654321', type: 'text', text: { body: 'Bom dia!' } }
  async function send(): Promise<void> {
    const headers = { 'idempotency-key': 'order-0001' }
    const { status, text } = await acme.post(`/api/v1/channels/${channel.id}/messages`, message, { headers })
    assert.equal(status, 202, text)
  }
  async function insertExpired(): Promise<void> {
    await hub.sql`
      with send as (
        insert into messages (organization_id, channel_id, id, direction, type, status)
        values (${acme.organizationId}, ${channel.id}, hub_id(), 'outbound', 'text', 'sending')
        returning *)
      insert into unsettled_sends (organization_id, channel_id, message_id, sending_until)
      select organization_id, channel_id, id, 'epoch' from send`
  }
  const statuses = Array.from({ length: 10 }, (_, n) => ({
    id: `wamid.${1 + n * 3}`,
    status: 'read',
    timestamp: String(AT),
    recipient_id: '5511987654321',
  }))

  await assertReadsFew('a send', send)
  await assertReadsFew('a repeated send', send)
  await assertReadsFew('a callback', () => deliverMessages({ statuses }))
  await assertReadsFew('the end of a lease', () => hub.context.messages.markExpiredUnknown(), insertExpired)
})

test('a send reads its own channel alone, even with a plan from when there were few', async (t) => {
  const { sql, statements } = await openRecordingPool(t)
  const { channel, acme } = await startInbound(t, { installation: { sql }, hasTimers: false, isCalledBack: false })
  const message = { to: '5511987654321', type: 'text', text: { body: 'Bom dia!' } }
  const headers = { 'idempotency-key': 'order-0002' }
  const { status } = await acme.post(`/api/v1/channels/${channel.id}/messages`, message, { headers })
  assert.equal(status, 202)
  const statement = statements.find(({ text }) => text.includes('insert into unsettled_sends'))
  assert.ok(statement)

  const plan = await explainStatement(sql, statement, async (tx) => {
    await tx`
      with organization as (
        insert into organizations (id, name) select gen_random_uuid(), 'n' from generate_series(1, ${OTHERS}) returning id
      )
      insert into channels (organization_id, id, name, status, phone_number_id, access_token)
      select id, gen_random_uuid(), 'n', 'active', id::text, 'x' from organization`
    await tx`delete from message_keys`
    await tx`delete from unsettled_sends`
    await tx`delete from messages`
  })

  const read = countRowsRead(plan)
  assert.ok(read <= ROWS_READ_MAX, `${read} rows: ${JSON.stringify(plan)}`)
})

test('the result of a send reads its own rows alone, even with a plan from when no send was open', async (t) => {
  const { sql, statements } = await openRecordingPool(t)
  const { channel, acme } = await startInbound(t, { installation: { sql }, hasTimers: false, isCalledBack: false })
  const message = { to: '5511987654321', type: 'text', text: { body: 'Bom dia!' } }
  const headers = { 'idempotency-key': 'order-0003' }
  const sent = await acme.post(`/api/v1/channels/${channel.id}/messages`, message, { headers })
  assert.equal(sent.status, 202)
  const statement = statements.find(({ text }) => text.includes('insert into message_wamids'))
  assert.ok(statement)

  const plan = await explainStatement(sql, statement, async (tx) => {
    await tx`delete from events`
    await tx`delete from messages`
    await tx`
      insert into unsettled_sends (organization_id, channel_id, message_id, type, created_at)
      values (${acme.organizationId}, ${channel.id}, ${sent.body.data.message.id}, 'text', hub_now())`
    await tx`
      insert into unsettled_sends (organization_id, channel_id, message_id, type, created_at)
      select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'text', hub_now() from generate_series(1, ${OTHERS})`
  })

  const read = countRowsRead(plan)
  assert.ok(read <= ROWS_READ_MAX, `${read} rows: ${JSON.stringify(plan)}`)
  assert.equal(listNodes(plan).find((node) => node['Node Type'] === 'LockRows')?.['Actual Rows'], 1)
})

test('a send with a template reads its own report among many', {
  rules: ['template.unsendable-one-is-refused'],
}, async (t) => {
  const { hub, acme, channel, assertReadsFew } = await startFilled(t)
  await hub.sql`
    insert into unsendable_templates
      (organization_id, waba_id, name, language, status, since, until, is_timed, reported_at)
    select ${acme.organizationId}, ${channel.number.wabaId}, 'template_' || n, 'pt_BR', 'PAUSED', hub_now(),
      hub_now() + interval '1 day', false, hub_now()
    from generate_series(1, 10000) n`
  await hub.sql.unsafe('analyze unsendable_templates')
  const template = { name: 'template_77', language: { code: 'pt_BR' } }

  await assertReadsFew('a send with a paused template', async () => {
    const headers = { 'idempotency-key': 'template-0001' }
    const body = { to: '5511987654321', type: 'template', template }
    const answer = await acme.post(`/api/v1/channels/${channel.id}/messages`, body, { headers })
    assert.equal(answer.body.error.code, 'TEMPLATE_NOT_SENDABLE')
  })
})
