import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INBOUND_TYPES } from '../inbound/test/inbound-types.ts'
import { CONTACT, echoOf, statusOf, textMessage } from '../inbound/test/samples.ts'
import { AT, framed, type Scene, saying, startInbound, telling } from '../inbound/test/scene.ts'
import { EVENT_KIND_NAMES } from './catalog.ts'
import { type CheckedEvent, createEventCheck } from './test/event-check.ts'

async function recordedOf({ sql, channel }: Scene): Promise<CheckedEvent[]> {
  return sql<CheckedEvent[]>`
    select id, kind, channel_id, occurred_at, body from events where channel_id = ${channel.id} order by id`
}

test('the kinds of events are those of the contract', {
  rules: [
    'EVT-01',
    'EVT-02',
    'EVT-03',
    'EVT-04',
    'EVT-05',
    'EVT-06',
    'EVT-07',
    'EVT-08',
    'EVT-09',
    'EVT-10',
    'EVT-11',
    'EVT-12',
    'EVT-13',
  ],
}, () => {
  assert.deepEqual(EVENT_KIND_NAMES, [
    'channel.created',
    'channel.connected',
    'channel.degraded',
    'channel.disconnected',
    'message.received',
    'message.sent',
    'message.status',
    'message.echo',
    'template.status',
    'phone.quality',
    'account.update',
    'upstream.raw',
    'webhook.test',
  ])
})

test('every kind of event that a callback can cause is as its schema says, in ASCII, with the envelope of all', {
  rules: ['D9-02', 'PAY-01'],
}, async (t) => {
  const scene = await startInbound(t)
  const { channel } = scene
  const { wamid } = await scene.send({ type: 'text', text: { body: 'Pão de açúcar' } })
  const messages = Object.values(INBOUND_TYPES).map((members, i) => {
    return { ...textMessage(`wamid.${i} ção`), ...members, from: i % 2 === 0 ? '5511987654321' : undefined }
  })
  const statuses = ['sent', 'delivered', 'read', 'played', 'failed'].flatMap((status) => {
    const more = { errors: [{ code: 1, title: 'Não' }], pricing: { category: 'serviço' } }
    return [statusOf(wamid, status, more), statusOf('wamid.foreign', status)]
  })
  const echoes = { ...framed(channel), message_echoes: [echoOf(channel.digits, 'wamid.e')] }
  const number = { display_phone_number: channel.digits }
  const news: [string, object][] = [
    ['smb_message_echoes', echoes],
    ['message_template_status_update', { event: 'APPROVED', message_template_id: 1, message_template_name: 'olá' }],
    ['template_category_update', { new_category: 'MARKETING' }],
    ['phone_number_quality_update', { ...number, event: 'FLAGGED' }],
    ['phone_number_name_update', { ...number, decision: 'APPROVED', requested_verified_name: 'Pão & Cia' }],
    ['account_update', { event: 'ACCOUNT_RECONNECTED' }],
    ['account_review_update', { decision: 'APPROVED' }],
    ['security', { ...number, event: 'PIN_CHANGED' }],
    ['account_update', { event: 'PARTNER_REMOVED' }],
  ]

  await scene.deliver(saying(channel, { contacts: [CONTACT], messages }, { contacts: [CONTACT], statuses }))
  for (const [i, [field, value]] of news.entries()) await scene.deliver(telling(channel, field, value, AT + i))

  const events = await recordedOf(scene)
  const check = createEventCheck()
  for (const event of events) check(event)
  const caused = EVENT_KIND_NAMES.filter((kind) => kind !== 'webhook.test')
  assert.deepEqual(new Set(events.map(({ kind }) => kind)), new Set(caused))
})

test('the check of events can fail: a missing member, another id and a letter beyond ASCII are each found', async (t) => {
  const scene = await startInbound(t)
  await scene.say({ messages: [textMessage('wamid.1')] })
  const check = createEventCheck()
  const event = (await recordedOf(scene)).find(({ kind }) => kind === 'message.received')
  const with_ = (from: string, to: string) => ({ ...event!, body: Buffer.from(`${event!.body}`.replace(from, to)) })

  check(event!)
  assert.throws(() => check(with_('"status":', '"state":')), /message.received/)
  assert.throws(() => check(with_('"event":"message.received"', '"event":"message.echo"')), /message.received/)
  assert.throws(() => check(with_(event!.id, scene.channel.id)))
  assert.throws(() => check(with_('Bom', 'Bôm')), /ASCII/)
})
