import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listEventExamples } from '../../../test/api-document.ts'
import { type CheckedEvent, createEventCheck } from '../../../test/event-check.ts'
import { EVENT_KIND_NAMES } from '../../domains/events/catalog.ts'
import {
  AT,
  buildEntry,
  buildMessagesEntry,
  buildMetadata,
  type InboundFixture,
  startInbound,
} from '../../domains/inbound/test/fixture.ts'
import { INBOUND_TYPES } from '../../domains/inbound/test/inbound-types.ts'
import { buildEcho, buildStatus, buildText, CONTACT } from '../../domains/inbound/test/samples.ts'

async function listEvents({ sql, channel }: InboundFixture): Promise<CheckedEvent[]> {
  return sql<CheckedEvent[]>`
    select id, kind, channel_id, occurred_at, body from events where channel_id = ${channel.id} order by id`
}

test('every event that a callback causes matches the schema of its kind and is ASCII', {
  rules: ['event.message-data-is-the-log-entry', 'payload.normalized-is-one-envelope'],
}, async (t) => {
  const fixture = await startInbound(t)
  const { channel } = fixture
  const { wamid } = await fixture.send({ type: 'text', text: { body: 'Pão de açúcar' } })
  const messages = Object.values(INBOUND_TYPES).map((members, i) => {
    return { ...buildText(`wamid.${i} ção`), ...members, from: i % 2 === 0 ? '5511987654321' : undefined }
  })
  const statuses = ['sent', 'delivered', 'read', 'played', 'failed'].flatMap((status) => {
    const more = { errors: [{ code: 1, title: 'Não' }], pricing: { category: 'serviço' } }
    return [buildStatus(wamid, status, more), buildStatus('wamid.foreign', status)]
  })
  const payment = buildStatus(wamid, 'captured', { type: 'payment', payment: { reference_id: 'pão', amount: {} } })
  const echoes = { ...buildMetadata(channel), message_echoes: [buildEcho(channel.digits, 'wamid.e')] }
  const metadata = buildMetadata(channel)
  const number = { display_phone_number: channel.digits }
  const thread = { id: '5511', messages: [buildText('wamid.old ção'), { id: 'w', type: 'media_placeholder' }] }
  const changes: [string, object][] = [
    ['history', { ...metadata, history: [{ metadata: { phase: 0, progress: 3 }, threads: [thread] }] }],
    ['business_username_updates', { ...number, username: 'pao', status: 'approved' }],
    ['smb_message_echoes', echoes],
    ['message_template_status_update', { event: 'APPROVED', message_template_id: 1, message_template_name: 'olá' }],
    ['template_category_update', { new_category: 'MARKETING' }],
    ['phone_number_quality_update', { ...number, event: 'FLAGGED' }],
    ['phone_number_name_update', { ...number, decision: 'APPROVED', requested_verified_name: 'Pão & Cia' }],
    ['account_update', { event: 'ACCOUNT_RECONNECTED' }],
    ['account_review_update', { decision: 'APPROVED' }],
    ['security', { ...number, event: 'PIN_CHANGED' }],
    ['flows', { event: 'FLOW_STATUS_CHANGE', flow_id: '1', new_status: 'PUBLISHED' }],
    [
      'user_preferences',
      { ...metadata, user_preferences: [{ wa_id: '1', category: 'marketing_messages', value: 'stop' }] },
    ],
    ['user_id_update', { ...metadata, user_id_update: [{ user_id: { previous: 'BR.1', current: 'BR.2' } }] }],
    ['smb_app_state_sync', { ...metadata, state_sync: [{ contact: { full_name: 'João', phone_number: '+1' } }] }],
    ['calls', { ...metadata, calls: [{ id: 'wacid.1', event: 'connect', direction: 'USER_INITIATED' }] }],
    ['calls', { ...metadata, statuses: [{ id: 'wacid.1', type: 'call', status: 'RINGING' }] }],
    ['group_settings_update', { ...metadata, groups: [{ group_id: 'g', type: 'group_update', subject: 'Pães' }] }],
    ['account_update', { event: 'PARTNER_REMOVED' }],
  ]

  await fixture.acme.patch(`/api/v1/channels/${channel.id}`, { import_history: 'events' })
  await fixture.deliver(
    buildMessagesEntry(
      channel,
      { contacts: [CONTACT], messages },
      { contacts: [CONTACT], statuses: [...statuses, payment] },
    ),
  )
  for (const [i, [field, value]] of changes.entries()) await fixture.deliver(buildEntry(channel, field, value, AT + i))

  const events = await listEvents(fixture)
  const check = createEventCheck()
  for (const event of events) check(event)
  const others = ['webhook.test', 'endpoint.paused', 'cost.budget_reached']
  const expected = EVENT_KIND_NAMES.filter((kind) => !others.includes(kind))
  assert.deepEqual(new Set(events.map(({ kind }) => kind)), new Set(expected))
})

test('the example of each kind has the members of a real event, and null where that has null', async (t) => {
  const fixture = await startInbound(t)
  const { channel } = fixture
  await fixture.deliverMessages({ contacts: [CONTACT], messages: [buildText('wamid.1')] })
  const { wamid } = await fixture.send({ type: 'text', text: { body: 'Bom dia' } })
  for (const status of ['sent', 'delivered']) {
    await fixture.deliverMessages({ contacts: [CONTACT], statuses: [buildStatus(wamid, status)] })
  }
  const echoes = { ...buildMetadata(channel), message_echoes: [buildEcho(channel.digits, 'wamid.e')] }
  await fixture.deliver(buildEntry(channel, 'smb_message_echoes', echoes, AT))
  const sent = (await listEvents(fixture)).filter(({ kind }) => /^(?:message|channel)\./.test(kind))
  const examples = await listEventExamples()

  const latest = new Map(sent.map(({ kind, body }) => [kind, JSON.parse(body.toString('latin1'))]))
  assert.ok(latest.size === 6, [...latest.keys()].join())
  for (const [kind, event] of latest) {
    // The organization of the example has an id of its own for the channel.
    const real = kind.startsWith('channel.') ? event.data.channel : event
    const shown = kind.startsWith('channel.') ? examples[kind].data.channel : examples[kind]
    assert.deepEqual(toShape({ ...shown, external_id: null }), toShape({ ...real, external_id: null }), kind)
    assert.deepEqual([shown.status, shown.data?.message.status], [real.status, real.data?.message.status])
  }
})

/** A value with each string, number and boolean replaced by its type. */
function toShape(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toShape(member)]))
}

test('the event check finds a missing member, another id and a non-ASCII character', async (t) => {
  const fixture = await startInbound(t)
  await fixture.deliverMessages({ messages: [buildText('wamid.1')] })
  const check = createEventCheck()
  const event = (await listEvents(fixture)).find(({ kind }) => kind === 'message.received')
  const replaceIn = (from: string, to: string) => ({ ...event!, body: Buffer.from(`${event!.body}`.replace(from, to)) })

  check(event!)
  assert.throws(() => check(replaceIn('"status":', '"state":')), /message.received/)
  assert.throws(() => check(replaceIn('"event":"message.received"', '"event":"message.echo"')), /message.received/)
  assert.throws(() => check(replaceIn(event!.id, fixture.channel.id)))
  assert.throws(() => check(replaceIn('Bom', 'Bôm')), /ASCII/)
})
