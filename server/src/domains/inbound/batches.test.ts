import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countingDatabase } from './test/counting-database.ts'
import {
  AT,
  buildCallback,
  buildMetadata,
  type Change,
  type Channel,
  type InboundFixture,
  readData,
  startInbound,
} from './test/fixture.ts'
import { buildEcho, buildStatus, buildText } from './test/samples.ts'

/** Ten changes with new messages, and ten that follow them. */
function buildRound(channel: Channel, round: string) {
  const message = (field: string, value: object): Change => ({ field, value: { ...buildMetadata(channel), ...value } })
  const image = (id: string) => buildText(id, { type: 'image', image: { id: `media ${id}` } })
  const received = (name: string) => message('messages', { messages: [buildText(`${round} ${name}`)] })
  const reported = (name: string, status: string) =>
    message('messages', { statuses: [buildStatus(`${round} ${name}`, status)] })
  const echo = (name: string) =>
    message('smb_message_echoes', { message_echoes: [buildEcho(channel.digits, `${round} ${name}`)] })
  const first = [
    ...['a', 'b', 'c'].map(received),
    message('messages', { messages: [image(`${round} d`)] }),
    echo('e'),
    ...['f', 'g', 'h'].map((name) => reported(name, 'sent')),
    { field: 'message_template_status_update', value: { event: 'APPROVED', message_template_id: round } },
    { field: 'a_field_of_the_future', value: round },
  ]
  const then = [
    ...['f', 'g', 'h', 'e'].map((name) => reported(name, 'delivered')),
    ...['f', 'g', 'e'].map((name) => reported(name, 'read')),
    ...['f', 'h'].map(echo),
    { field: 'account_alerts', value: { alert_info: round } },
  ]
  return { first, then }
}

function rounds(fixture: InboundFixture, prefix: string, count: number, part: 'first' | 'then') {
  const changes = Array.from({ length: count }, (_, i) => buildRound(fixture.channel, `${prefix}${i}`)[part]).flat()
  return buildCallback({ id: fixture.channel.number.wabaId, time: AT, changes })
}

test('a callback of 1,000 updates needs as many statements as one of 20, and is logged correctly', {
  rules: ['callback.handles-the-whole-batch'],
}, async (t) => {
  const counted = await countingDatabase(t)
  const fixture = await startInbound(t, { installation: { sql: counted.sql }, hasTimers: false })
  const countStatements = (prefix: string, count: number, part: 'first' | 'then') =>
    counted.countLongest(async () => {
      const answer = await fixture.post(rounds(fixture, prefix, count, part))
      assert.equal(answer.status, 200, answer.text)
    })

  const few = [await countStatements('few ', 2, 'first'), await countStatements('few ', 2, 'then')]
  const many = [await countStatements('many ', 100, 'first'), await countStatements('many ', 100, 'then')]

  t.diagnostic(`${many.join(' and ')} statements`)
  assert.deepEqual(many, few)
  assert.ok(Math.min(...few) > 5 && Math.max(...many) < 20, many.join())
  await assertLogged(fixture)
})

async function assertLogged(fixture: InboundFixture): Promise<void> {
  const log = (await fixture.log()).filter(({ upstream_message_id }) => upstream_message_id?.startsWith('many '))
  const shown = (name: string) =>
    new Set(
      log
        .filter(({ upstream_message_id }) => upstream_message_id?.endsWith(` ${name}`))
        .map(({ direction, type, status }) => `${direction} ${type} ${status}`),
    )
  assert.equal(log.length, 800)
  for (const name of ['a', 'b', 'c']) assert.deepEqual(shown(name), new Set(['inbound text received']))
  assert.deepEqual(shown('d'), new Set(['inbound image received']))
  assert.deepEqual(shown('e'), new Set(['outbound text read']))
  assert.deepEqual(shown('f'), new Set(['outbound text read']))
  assert.deepEqual(shown('g'), new Set(['outbound unknown read']))
  assert.deepEqual(shown('h'), new Set(['outbound text delivered']))
  const events = await fixture.events()
  const counts = ['message.received', 'message.status', 'message.echo', 'template.status', 'account.update']
  assert.deepEqual(
    counts.map((kind) => readData(events, kind).length),
    [408, 1020, 306, 102, 102],
  )
  assert.equal((await fixture.rawEvents()).length, 2040)
  const [media] = await fixture.sql<{ count: number }[]>`
    select count(*)::int as count from channel_media where channel_id = ${fixture.channel.id}`
  assert.equal(media?.count, 102)
}

test('the statuses of 500 messages in one change are applied to each of them', async (t) => {
  const fixture = await startInbound(t)
  const sends = await Promise.all(Array.from({ length: 20 }, () => fixture.send()))
  const foreign = Array.from({ length: 480 }, (_, i) => ({ wamid: `wamid.${i}` }))

  await fixture.deliverMessages({
    statuses: [...sends, ...foreign].flatMap(({ wamid }) => [buildStatus(wamid, 'read'), buildStatus(wamid, 'sent')]),
  })

  const log = await fixture.log()
  assert.equal(log.length, 500)
  assert.deepEqual(
    new Set(log.map(({ status, sent_at, read_at }) => `${status} ${sent_at === read_at}`)),
    new Set(['read true']),
  )
  assert.equal(log.filter(({ type }) => type === 'text').length, 20)
})

test('a thousand updates that the simulator batches, shuffles and repeats are each applied once', async (t) => {
  const fixture = await startInbound(t)
  const { simulator } = fixture.up
  await simulator.control('PUT', '/limits', { enforced: false })
  await simulator.control('PUT', '/webhooks/policy', { batch: 1000, fold: true, shuffle: true, duplicates: 2 })

  const ids = new Set<string>()
  for (let i = 0; i < 1000; i++) {
    const sent = await simulator.control<{ message_id: string }>(
      'POST',
      `/contacts/55119876${1000 + (i % 50)}0/messages`,
      {
        to: fixture.channel.number.phoneNumberId,
        type: i % 3 === 0 ? 'reaction' : 'text',
      },
    )
    ids.add(sent.message_id)
  }
  await simulator.control('POST', '/clock', { advance_seconds: 60 })

  const log = await fixture.log()
  assert.equal(log.length, 1000)
  assert.deepEqual(new Set(log.map(({ upstream_message_id }) => upstream_message_id)), ids)
  assert.ok(log.every(({ contact }) => contact?.name && contact.user_id))
  assert.equal(readData(await fixture.events(), 'message.received').length, 1000)
})
