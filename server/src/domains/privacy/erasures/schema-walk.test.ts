import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildEntry, buildMessagesEntry, buildMetadata } from '../../inbound/test/fixture.ts'
import { buildText, CONTACT, NAME, OTHER, OTHER_CONTACT, startErasures, TYPED, USER_ID, WA_ID } from './test/fixture.ts'

type Found = { table: string; column: string; row: string }

/** Every value of every column of every table, with bytes as the text that they are. */
async function search(sql: Awaited<ReturnType<typeof startErasures>>['sql'], texts: string[]): Promise<Found[]> {
  const columns = await sql<{ table: string; column: string; type: string }[]>`
    select c.table_name as table, c.column_name as column, c.data_type as type
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public'
      and t.table_type = 'BASE TABLE'
      and (c.data_type in ('text', 'json', 'jsonb', 'bytea', 'character varying', 'ARRAY'))`
  const found: Found[] = []
  for (const { table, column, type } of columns) {
    const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`
    const rows = await sql.unsafe(`select ${text} as row from "${table}" where "${column}" is not null`)
    found.push(
      ...rows.map(({ row }) => ({ table, column, row })).filter(({ row }) => texts.some((t) => row.includes(t))),
    )
  }
  return found
}

test('after an erasure no column of any table has the number, the user id, the name or a word of the person', {
  rules: ['erasure.removes-every-trace', 'erasure.message-keeps-its-facts', 'erasure.covers-further-kinds'],
}, async (t) => {
  const world = await startErasures(t)
  const { hub, sql, channel, acme, owner, receiver, endpoint, deliver, post, log, replay, patch } = world
  // Receivers answer with what they got, and one of them always fails.
  receiver.answer(({ body, path }) => {
    const text = body.toString()
    const headers = text.includes(WA_ID) || text.includes(TYPED) ? { 'x-echo': NAME.replace(' ', '-') } : {}
    return { status: path === failing.path ? 500 : 200, headers, body: text.slice(0, 2000) }
  })
  await acme.patch(`/api/v1/channels/${channel.id}`, { import_history: 'events' })
  const crm = await endpoint()
  const failing = await endpoint()
  const raw = await endpoint({ payload_mode: 'upstream_raw' })
  const held = await endpoint()
  const meta = buildMetadata(channel)
  const mine = { messages: [buildText(WA_ID, { from_user_id: USER_ID })], contacts: [CONTACT] }
  const image = {
    ...buildText(WA_ID),
    type: 'image',
    image: { id: '700000000000001', mime_type: 'image/jpeg', sha256: 'x', caption: `segredo-${WA_ID}` },
  }
  const echo = { ...buildText(channel.digits), to: WA_ID, text: { body: `segredo-${WA_ID}-echo` } }
  const changes: { field: string; value: object }[] = [
    { field: 'messages', value: { ...meta, ...mine } },
    { field: 'messages', value: { ...meta, messages: [image], contacts: [CONTACT] } },
    {
      field: 'messages',
      value: {
        ...meta,
        messages: [buildText(OTHER), buildText(WA_ID)],
        contacts: [OTHER_CONTACT, CONTACT],
      },
    },
    { field: 'smb_message_echoes', value: { ...meta, message_echoes: [echo] } },
    {
      field: 'smb_app_state_sync',
      value: { ...meta, state_sync: [{ type: 'contact', contact: { full_name: NAME, phone_number: `+${WA_ID}` } }] },
    },
    {
      field: 'history',
      value: {
        ...meta,
        history: [
          {
            metadata: { phase: 0 },
            threads: [
              { id: WA_ID, messages: [buildText(WA_ID)] },
              { id: OTHER, messages: [buildText(OTHER)] },
            ],
          },
        ],
      },
    },
    {
      field: 'user_preferences',
      value: { ...meta, contacts: [CONTACT], user_preferences: [{ wa_id: WA_ID, user_id: USER_ID, value: 'stop' }] },
    },
  ]
  const synced = [NAME, 'Bruno Outro'].map((full_name, i) => {
    return { type: 'contact', contact: { full_name, phone_number: `+${[WA_ID, OTHER][i]}` }, action: 'add' }
  })
  const revoke = { original_message_id: 'wamid.before' }
  const group = { group_id: 'g', type: 'group_participants_remove', timestamp: '1790000000' }
  changes.push(
    { field: 'smb_app_state_sync', value: { ...meta, state_sync: synced } },
    {
      field: 'user_id_update',
      value: { ...meta, contacts: [CONTACT], user_id_update: [{ wa_id: WA_ID, user_id: { current: USER_ID } }] },
    },
    {
      field: 'messages',
      value: {
        ...meta,
        messages: [buildText(WA_ID, { type: 'revoke', text: undefined, revoke })],
        contacts: [CONTACT],
      },
    },
    { field: 'calls', value: { ...meta, calls: [{ id: 'wacid.1', from: WA_ID, event: 'connect' }] } },
    {
      field: 'group_participants_update',
      value: { ...meta, groups: [{ ...group, removed_participants: [{ wa_id: WA_ID }, { wa_id: OTHER }] }] },
    },
  )
  await deliver({ id: channel.number.wabaId, changes })
  await patch(held, { status: 'paused' })
  // The upstream repeats itself, and sends what cannot be read.
  await deliver({ id: channel.number.wabaId, changes })
  await post(`{"entry": "${WA_ID} ${NAME}`)
  const headers = { 'idempotency-key': 'a-key-for-the-erasure' }
  const body = { to: TYPED, type: 'text', text: { body: `segredo-${TYPED}` } }
  const sent = await acme.post(`/api/v1/channels/${channel.id}/messages`, body, { headers })
  const { id, upstream_message_id: wamid } = sent.body.data.message
  const status = {
    id: wamid,
    status: 'sent',
    timestamp: '1790000001',
    recipient_id: WA_ID,
    recipient_user_id: USER_ID,
  }
  await deliver(buildMessagesEntry(channel, { statuses: [status], contacts: [CONTACT] }))
  const errors = [{ code: 131026, title: 'Undeliverable', error_data: { details: `${WA_ID} cannot receive` } }]
  await deliver(buildMessagesEntry(channel, { statuses: [{ ...status, status: 'failed', errors }] }))
  await deliver(buildEntry(channel, 'account_update', { event: 'ACCOUNT_RECONNECTED' }))
  await hub.deliver()
  await replay(crm, (await log(crm)).at(-1)!)
  await hub.deliver()
  await owner.get(`/console/messages/export?format=jsonl&content=true&person=%2B${WA_ID}`)
  const words = [WA_ID, TYPED, USER_ID, NAME, NAME.replace(' ', '-')]
  // Rows that jobs store, such as the log of requests, are searched too.
  await hub.runJobs()
  const before = await search(sql, words)

  const erasure = await world.erase({ phone: '+55 (11) 97654-3210' })

  const places = new Set(before.map(({ table, column }) => `${table.replace(/_p?\d+$|_default$/, '')}.${column}`))
  for (const place of ['messages.content', 'messages.contact', 'messages.recipient', 'messages.error', 'events.body'])
    assert.ok(places.has(place), `${place} of ${[...places]}`)
  for (const place of ['delivery_attempts.response_body', 'callbacks.body', 'audit_entries.details'])
    assert.ok(places.has(place), `${place} of ${[...places]}`)
  assert.deepEqual(await search(sql, words), [])
  assert.deepEqual([erasure.stage, erasure.counts.messages_received > 2, erasure.counts.messages_sent], [null, true, 2])
  // The others keep theirs, in the log, in events and in callbacks.
  const kept = await search(sql, [`segredo-${OTHER}`])
  const keptIn = new Set(kept.map(({ table }) => table.replace(/_p?\d+$|_default$/, '')))
  assert.deepEqual(
    [...keptIn].toSorted(),
    ['callbacks', 'delivery_attempts', 'events', 'messages'].filter((table) => keptIn.has(table)),
  )
  assert.ok(keptIn.has('callbacks') && keptIn.has('events') && keptIn.has('messages'))
  // Data that guarantees need stays.
  const [row] = await sql`
    select status, upstream_message_id, sent_at, error ->> 'code' as code, recipient, content from messages where id = ${id}`
  assert.deepEqual(
    { ...row, sent_at: row?.sent_at !== null },
    {
      status: 'failed',
      upstream_message_id: wamid,
      sent_at: true,
      code: '131026',
      recipient: null,
      content: null,
    },
  )
  const again = await acme.post(`/api/v1/channels/${channel.id}/messages`, body, { headers })
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [202, 'true'])
  // The number stands in the request, and what the upstream called the person is erased.
  assert.deepEqual(again.body.data.message, { ...sent.body.data.message, contact: null })
  assert.deepEqual(await search(sql, words), [])
  assert.ok((await log(raw)).length > 0)
})
