import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countedDatabase } from './test/counted-database.ts'
import { echoOf, statusOf, textMessage } from './test/samples.ts'
import { AT, type Change, type Channel, callbackOf, dataOf, framed, type Scene, startInbound } from './test/scene.ts'

/** Ten changes about messages that are new, and the ten that follow on them. */
function tenOf(channel: Channel, round: string) {
  const message = (field: string, value: object): Change => ({ field, value: { ...framed(channel), ...value } })
  const image = (id: string) => textMessage(id, { type: 'image', image: { id: `media ${id}` } })
  const received = (name: string) => message('messages', { messages: [textMessage(`${round} ${name}`)] })
  const told = (name: string, status: string) =>
    message('messages', { statuses: [statusOf(`${round} ${name}`, status)] })
  const echo = (name: string) =>
    message('smb_message_echoes', { message_echoes: [echoOf(channel.digits, `${round} ${name}`)] })
  const first = [
    ...['a', 'b', 'c'].map(received),
    message('messages', { messages: [image(`${round} d`)] }),
    echo('e'),
    ...['f', 'g', 'h'].map((name) => told(name, 'sent')),
    { field: 'message_template_status_update', value: { event: 'APPROVED', message_template_id: round } },
    { field: 'a_field_of_the_future', value: round },
  ]
  const then = [
    ...['f', 'g', 'h', 'e'].map((name) => told(name, 'delivered')),
    ...['f', 'g', 'e'].map((name) => told(name, 'read')),
    ...['f', 'h'].map(echo),
    { field: 'account_alerts', value: { alert_info: round } },
  ]
  return { first, then }
}

function rounds(scene: Scene, prefix: string, count: number, part: 'first' | 'then') {
  const changes = Array.from({ length: count }, (_, i) => tenOf(scene.channel, `${prefix}${i}`)[part]).flat()
  return callbackOf({ id: scene.channel.number.wabaId, time: AT, changes })
}

test('a callback of 1,000 updates takes as many statements as one of 20, and the log is right', {
  rules: ['D8-05'],
}, async (t) => {
  const counted = await countedDatabase(t)
  const scene = await startInbound(t, { installation: { sql: counted.sql } })
  const statementsOf = (prefix: string, count: number, part: 'first' | 'then') =>
    counted.longestIn(async () => {
      const answer = await scene.post(rounds(scene, prefix, count, part))
      assert.equal(answer.status, 200, answer.text)
    })

  const few = [await statementsOf('few ', 2, 'first'), await statementsOf('few ', 2, 'then')]
  const many = [await statementsOf('many ', 100, 'first'), await statementsOf('many ', 100, 'then')]

  t.diagnostic(`${many.join(' and ')} statements`)
  assert.deepEqual(many, few)
  assert.ok(Math.min(...few) > 5 && Math.max(...many) < 20, many.join())
  await assertRight(scene)
})

async function assertRight(scene: Scene): Promise<void> {
  const log = (await scene.log()).filter(({ upstream_message_id }) => upstream_message_id?.startsWith('many '))
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
  const events = await scene.events()
  const counts = ['message.received', 'message.status', 'message.echo', 'template.status', 'account.update']
  assert.deepEqual(
    counts.map((kind) => dataOf(events, kind).length),
    [408, 1020, 306, 102, 102],
  )
  assert.equal((await scene.raws()).length, 2040)
  const [media] = await scene.sql<{ count: number }[]>`
    select count(*)::int as count from channel_media where channel_id = ${scene.channel.id}`
  assert.equal(media?.count, 102)
}

test('statuses of 500 sends of the hub in one change are 500 messages, each with its own', async (t) => {
  const scene = await startInbound(t)
  const sends = await Promise.all(Array.from({ length: 20 }, () => scene.send()))
  const foreign = Array.from({ length: 480 }, (_, i) => ({ wamid: `wamid.${i}` }))

  await scene.say({
    statuses: [...sends, ...foreign].flatMap(({ wamid }) => [statusOf(wamid, 'read'), statusOf(wamid, 'sent')]),
  })

  const log = await scene.log()
  assert.equal(log.length, 500)
  assert.deepEqual(
    new Set(log.map(({ status, sent_at, read_at }) => `${status} ${sent_at === read_at}`)),
    new Set(['read true']),
  )
  assert.equal(log.filter(({ type }) => type === 'text').length, 20)
})

// The platform's own batching, repeats and disorder, which the simulator plays.
test('a thousand updates that the upstream folds, shuffles and repeats are each taken once', async (t) => {
  const scene = await startInbound(t)
  const { simulator } = scene.up
  await simulator.control('PUT', '/limits', { enforced: false })
  await simulator.control('PUT', '/webhooks/policy', { batch: 1000, fold: true, shuffle: true, duplicates: 2 })

  const ids = new Set<string>()
  for (let i = 0; i < 1000; i++) {
    const sent = await simulator.control<{ message_id: string }>(
      'POST',
      `/contacts/55119876${1000 + (i % 50)}0/messages`,
      {
        to: scene.channel.number.phoneNumberId,
        type: i % 3 === 0 ? 'reaction' : 'text',
      },
    )
    ids.add(sent.message_id)
  }
  await simulator.control('POST', '/clock', { advance_seconds: 60 })

  const log = await scene.log()
  assert.equal(log.length, 1000)
  assert.deepEqual(new Set(log.map(({ upstream_message_id }) => upstream_message_id)), ids)
  assert.ok(log.every(({ contact }) => contact?.name && contact.user_id))
  assert.equal(dataOf(await scene.events(), 'message.received').length, 1000)
})
