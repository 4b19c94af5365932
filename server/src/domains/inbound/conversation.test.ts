import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageEntry } from '../messages/schemas.ts'
import { type InboundFixture, readData, startInbound } from './test/fixture.ts'

const PERSON = '5511987654321'
const FILE = { link: 'https://example.com/pao' }
const TEMPLATE = {
  name: 'pedido_pronto',
  language: 'pt_BR',
  category: 'UTILITY',
  components: [
    { type: 'BODY', text: 'Seu pedido está pronto.' },
    { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Já vou' }] },
  ],
}

function ask(type: string, action: object) {
  return { type: 'interactive', interactive: { type, body: { text: 'E então?' }, action } }
}

const BUTTONS = ask('button', { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Sim' } }] })
const LIST = ask('list', { button: 'Ver', sections: [{ rows: [{ id: 'pao', title: 'Pão' }] }] })
const FLOW = ask('flow', {
  name: 'flow',
  parameters: { flow_message_version: '3', flow_id: '1', flow_cta: 'Agendar', flow_token: 't' },
})
const CALL = ask('call_permission_request', { name: 'call_permission_request' })

const LINES = [
  'inbound text received',
  'outbound image read',
  'outbound video read',
  'outbound document read',
  'outbound sticker read',
  'outbound audio read',
  'outbound text read',
  'outbound location read',
  'outbound contacts read',
  'outbound reaction sent',
  'outbound interactive button read',
  'outbound interactive list read',
  'outbound interactive flow read',
  'outbound interactive call_permission_request read',
  'outbound template read',
  'outbound image failed',
  'inbound interactive button_reply received',
  'inbound interactive list_reply received',
  'inbound interactive nfm_reply received',
  'inbound interactive call_permission_reply received',
  'inbound button received',
  'inbound text received',
  'inbound image received',
  'inbound video received',
  'inbound audio received',
  'inbound document received',
  'inbound sticker received',
  'inbound location received',
  'inbound contacts received',
  'inbound reaction received',
  'inbound reaction received',
  'inbound order received',
  'inbound system received',
  'inbound edit received',
  'inbound revoke received',
  'inbound unsupported received',
  'inbound request_welcome received',
]

/** Actions of the contact and of the business, through the simulator and the API. */
function createParties(fixture: InboundFixture) {
  const { channel, up } = fixture
  const control = <T>(path: string, body: Record<string, string | number | object>) =>
    up.simulator.control<T>('POST', path, body as never)
  return {
    write: (type: string, more: object = {}) =>
      control<{ message_id: string }>(`/contacts/${PERSON}/messages`, {
        to: channel.number.phoneNumberId,
        type,
        ...more,
      }),
    reply: (message_id: string, choice: string) => control(`/contacts/${PERSON}/replies`, { message_id, choice }),
    mark: (wamid: string, status: string) => control(`/messages/${encodeURIComponent(wamid)}/status`, { status }),
    pass: (seconds: number) => control('/clock', { advance_seconds: seconds }),
    async approveTemplate(): Promise<void> {
      const made = await channel.owner.post(`/api/v1/channels/${channel.id}/templates`, TEMPLATE)
      assert.equal(made.status, 201, made.text)
      await control(`/templates/${made.body.data.template.id}`, { status: 'APPROVED' })
    },
  }
}

function describeEntries(log: MessageEntry[]): string[] {
  return log.map(({ direction, type, status, content }) => {
    const inner = type === 'interactive' ? ` ${(content as { type: string }).type}` : ''
    return `${direction} ${type}${inner} ${status}`
  })
}

test('a conversation with messages of every type is logged completely and in order', async (t) => {
  const fixture = await startInbound(t)
  const { write, reply, mark, pass, approveTemplate } = createParties(fixture)
  await fixture.up.simulator.control('PUT', `/contacts/${PERSON}`, { name: 'Ana Souza' })
  await fixture.up.simulator.control('PUT', '/limits', { enforced: false })
  await approveTemplate()

  const { message_id: question } = await write('text', { text: { body: 'Tem pão?' }, referral: { source_type: 'ad' } })
  for (const type of ['image', 'video', 'document', 'sticker']) await fixture.send({ type, [type]: FILE })
  const voice = await fixture.send({ type: 'audio', audio: FILE })
  await fixture.send()
  await fixture.send({ type: 'location', location: { latitude: -23.55, longitude: -46.63 } })
  await fixture.send({ type: 'contacts', contacts: [{ name: { formatted_name: 'Caio', first_name: 'Caio' } }] })
  await fixture.send({ type: 'reaction', reaction: { message_id: question, emoji: '👍' } })
  const asked = [
    await fixture.send(BUTTONS),
    await fixture.send(LIST),
    await fixture.send(FLOW),
    await fixture.send(CALL),
  ]
  const template = await fixture.send({
    type: 'template',
    template: { name: TEMPLATE.name, language: { code: 'pt_BR' } },
  })
  const lost = await fixture.send({ type: 'image', image: { link: 'https://gone.invalid/x.png' } })
  await pass(3600)
  await mark(voice.wamid, 'played')
  for (const [i, choice] of ['yes', 'pao', 'sent', 'accept'].entries()) await reply(asked[i]?.wamid ?? '', choice)
  await reply(template.wamid, 'Já vou')
  for (const type of ['text', 'image', 'video', 'audio', 'document', 'sticker', 'location', 'contacts'])
    await write(type)
  await write('reaction', { reaction: { message_id: voice.wamid, emoji: '❤️' } })
  await write('reaction', { reaction: { message_id: voice.wamid } })
  for (const type of ['order', 'system', 'edit', 'revoke', 'unsupported', 'request_welcome']) await write(type)

  const log = await fixture.log()
  assert.deepEqual(describeEntries(log), LINES)
  assertEntries(fixture, log, { question, lost: lost.wamid, asked: asked.map(({ wamid }) => wamid) })
  const events = await fixture.events()
  assert.deepEqual(
    ['message.sent', 'message.received', 'message.status', 'message.echo'].map((kind) => readData(events, kind).length),
    // Fifteen messages are sent: fourteen reach sent, thirteen of these delivered and read, one also played, and one fails.
    [15, 22, 14 + 13 + 13 + 1 + 1, 0],
  )
})

function assertEntries(
  { channel }: InboundFixture,
  log: MessageEntry[],
  names: { question: string; lost: string; asked: string[] },
): void {
  const inbound = log.filter(({ direction }) => direction === 'inbound')
  const outbound = log.filter(({ direction }) => direction === 'outbound')
  assert.ok(inbound.every(({ from, to }) => from === PERSON && to === channel.digits))
  assert.ok(outbound.every(({ from, to }) => from === channel.digits && to === PERSON))
  assert.ok(log.every(({ type, contact }) => type === 'system' || contact?.name === 'Ana Souza' || contact?.user_id))
  const [first] = inbound
  assert.deepEqual([first?.upstream_message_id, first?.content], [names.question, { body: 'Tem pão?' }])
  assert.deepEqual(first?.context, { referral: { source_type: 'ad' } })
  const replies = inbound.slice(1, 5).map(({ context }) => (context as { id: string }).id)
  assert.deepEqual(replies, names.asked)
  const failed = outbound.find(({ upstream_message_id }) => upstream_message_id === names.lost)
  assert.equal(failed?.error?.code, 131053)
  for (const { status, sent_at, delivered_at, read_at, pricing } of outbound.filter(
    ({ status }) => status === 'read',
  )) {
    assert.ok(sent_at && delivered_at && read_at && sent_at <= delivered_at && delivered_at <= read_at, status)
    assert.ok(pricing)
  }
}

test('messages from the business app are logged like those of the hub', async (t) => {
  const fixture = await startInbound(t)
  const number = await fixture.up.number({ coexistence: true })
  const { id } = await fixture.connect(fixture.acme, { number })
  const { simulator } = fixture.up

  const echo = await simulator.control<{ message_id: string }>('POST', `/numbers/${number.phoneNumberId}/echoes`, {
    to: PERSON,
    type: 'text',
    text: { body: 'Saindo do forno' },
  })

  const [line, ...others] = await fixture.log({ ...fixture.channel, id })
  assert.deepEqual(others, [])
  assert.deepEqual(
    [line?.direction, line?.status, line?.upstream_message_id, line?.to, line?.content],
    ['outbound', 'sent', echo.message_id, PERSON, { body: 'Saindo do forno' }],
  )
  assert.equal(readData(await fixture.events({ id }), 'message.echo').length, 1)
})

test('a message of a contact with a username and no phone number is logged with the user id', async (t) => {
  const fixture = await startInbound(t)
  const { simulator } = fixture.up
  await simulator.control('PUT', `/contacts/${PERSON}`, { name: 'Ana', username: 'ana.souza', hides_phone: true })

  await simulator.control('POST', `/contacts/${PERSON}/messages`, {
    to: fixture.channel.number.phoneNumberId,
    type: 'text',
  })

  const [line] = await fixture.log()
  assert.equal(line?.from, null)
  assert.equal(line?.contact?.name, 'Ana')
  assert.match(line?.contact?.user_id ?? '', /^[A-Z]{2}\.[A-Za-z0-9]+$/)
})
