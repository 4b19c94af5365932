import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PERSON, statusOf, textMessage, USER_ID } from './test/samples.ts'
import { AT, dataOf, iso, type Scene, startInbound } from './test/scene.ts'

const NO_TIMES = { sent_at: null, delivered_at: null, read_at: null, failed_at: null }
const PRICING = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' }
const ERROR = { code: 131047, title: 'Re-engagement message', message: 'm', error_data: { details: 'Over 24 hours' } }

/** Statuses of one message, each a second after the one before unless it has a time of its own. */
function tell(scene: Scene, wamid: string, ...statuses: [string, object?][]): Promise<void> {
  return scene.say({
    statuses: statuses.map(([status, more], i) => statusOf(wamid, status, { timestamp: String(AT + i), ...more })),
  })
}

function shown(line: { status: string } & Record<string, unknown>) {
  const { status, sent_at, delivered_at, read_at, failed_at } = line
  return { status, sent_at, delivered_at, read_at, failed_at }
}

for (const [status, rank, at] of [
  ['sent', 'sent', 'sent_at'],
  ['delivered', 'delivered', 'delivered_at'],
  ['read', 'read', 'read_at'],
  ['played', 'read', 'read_at'],
  ['failed', 'failed', 'failed_at'],
] as const) {
  test(`the status ${status} is in the log with its time, and recorded with the upstream's own words`, {
    rules: ['D7-17', 'D7-21', 'D8-11', 'D9-02', 'D9-03', 'D9-10'],
  }, async (t) => {
    const scene = await startInbound(t)
    const { id, wamid } = await scene.send()
    const told = statusOf(wamid, status, {
      recipient_user_id: USER_ID,
      biz_opaque_callback_data: id,
      conversation: { id: 'c' },
    })

    await scene.say({ contacts: [{ profile: { name: 'Ana' }, wa_id: PERSON }], statuses: [told] })

    const [line, ...others] = await scene.log()
    assert.deepEqual(others, [])
    assert.deepEqual(line && shown(line), { ...NO_TIMES, status: rank, [at]: iso(AT) })
    assert.deepEqual([line?.id, line?.to, line?.type], [id, PERSON, 'text'])
    assert.equal(line?.contact?.name, 'Ana')
    const events = (await scene.events()).filter(({ kind }) => kind === 'message.status')
    assert.deepEqual(dataOf(events), [{ message: line, statuses_detail: told }])
    assert.equal(events[0]?.occurred_at, iso(AT))
  })
}

test('a failure brings its error, and keeps it when the message arrives after all', async (t) => {
  const scene = await startInbound(t)
  const { wamid } = await scene.send()

  await tell(scene, wamid, ['failed', { errors: [ERROR, { code: 1 }] }])
  const [failed] = await scene.log()
  await tell(scene, wamid, ['delivered'])

  const error = { code: 131047, title: 'Re-engagement message', details: 'Over 24 hours' }
  assert.deepEqual([failed?.status, failed?.error], ['failed', error])
  const [line] = await scene.log()
  assert.deepEqual([line?.status, line?.error], ['delivered', error])
})

test('the price comes with the first status that names it, and stays', async (t) => {
  const scene = await startInbound(t)
  const { wamid } = await scene.send()

  await tell(scene, wamid, ['sent', { pricing: PRICING }], ['delivered'], ['read', { pricing: PRICING }])

  const [line] = await scene.log()
  assert.deepEqual(line?.pricing, PRICING)
  assert.deepEqual(
    dataOf(await scene.events(), 'message.status').map(({ message }) => message.pricing),
    [PRICING, PRICING, PRICING],
  )
})

test('a late status never takes a message back, and fills in its own time', {
  rules: ['D7-20', 'D9-03'],
}, async (t) => {
  const scene = await startInbound(t)
  const { wamid } = await scene.send()

  for (const [seconds, status] of [
    ['3', 'read'],
    ['2', 'delivered'],
    ['1', 'sent'],
    ['4', 'failed'],
  ] as const) {
    await tell(scene, wamid, [status, { timestamp: String(AT + Number(seconds)) }])
  }

  const [line] = await scene.log()
  assert.deepEqual(line && shown(line), {
    status: 'read',
    sent_at: iso(AT + 1),
    delivered_at: iso(AT + 2),
    read_at: iso(AT + 3),
    failed_at: iso(AT + 4),
  })
  const events = dataOf(await scene.events(), 'message.status')
  assert.deepEqual(
    events.map(({ message, statuses_detail }) => [statuses_detail.status, message.status]),
    [
      ['read', 'read'],
      ['delivered', 'read'],
      ['sent', 'read'],
      ['failed', 'read'],
    ],
  )
})

test('the same status twice has its effect once, in one change or in another', { rules: ['D8-07'] }, async (t) => {
  const scene = await startInbound(t)
  const { wamid } = await scene.send()

  await tell(scene, wamid, ['delivered'], ['delivered'])
  await tell(scene, wamid, ['delivered', { timestamp: String(AT + 60), errors: [ERROR] }])

  const [line] = await scene.log()
  assert.deepEqual([line?.delivered_at, line?.error], [iso(AT), null])
  assert.equal(dataOf(await scene.events(), 'message.status').length, 1)
})

test('of read and played each is told of, and the earlier time counts', { rules: ['D7-21'] }, async (t) => {
  const scene = await startInbound(t)
  const { wamid } = await scene.send()

  await tell(scene, wamid, ['played', { timestamp: String(AT + 9) }], ['read', { timestamp: String(AT + 3) }])

  const [line] = await scene.log()
  assert.deepEqual([line?.status, line?.read_at], ['read', iso(AT + 3)])
  assert.equal(dataOf(await scene.events(), 'message.status').length, 2)
})

test('a status of a message that the hub did not send makes a line of type unknown, without content', {
  rules: ['D7-37'],
}, async (t) => {
  const scene = await startInbound(t)

  await tell(
    scene,
    'wamid.foreign',
    ['delivered', { timestamp: String(AT + 9) }],
    ['sent', { timestamp: String(AT + 5) }],
  )

  const [line, ...others] = await scene.log()
  assert.deepEqual(others, [])
  assert.deepEqual(line, {
    ...{ id: line?.id, channel_id: scene.channel.id, direction: 'outbound', type: 'unknown', status: 'delivered' },
    ...{ from: scene.channel.digits, to: PERSON, contact: null, upstream_message_id: 'wamid.foreign' },
    ...{ content: null, context: null, error: null, pricing: null, created_at: iso(AT + 5) },
    ...{ sent_at: iso(AT + 5), delivered_at: iso(AT + 9), read_at: null, failed_at: null },
  })
  const events = await scene.events()
  assert.equal(dataOf(events, 'message.status').length, 2)
  assert.deepEqual(dataOf(events, 'message.sent'), [])
})

test('a status that the ladder does not know changes nothing, and is passed on raw', async (t) => {
  const scene = await startInbound(t)
  const { wamid } = await scene.send()

  await tell(scene, wamid, ['deleted'], ['constructor'], ['__proto__'])

  const [line] = await scene.log()
  assert.equal(line?.status, 'accepted')
  assert.deepEqual(dataOf(await scene.events(), 'message.status'), [])
  assert.equal((await scene.raws()).length, 1)
})

test('a status changes nothing about a message that was received, whichever comes first', async (t) => {
  const scene = await startInbound(t)

  await tell(scene, 'wamid.a', ['read'])
  await scene.say({ messages: [textMessage('wamid.a'), textMessage('wamid.b')] })
  await tell(scene, 'wamid.b', ['read'])

  for (const line of await scene.log()) {
    assert.deepEqual([line.direction, line.type, line.from], ['inbound', 'text', PERSON])
    assert.deepEqual(shown(line), { ...NO_TIMES, status: 'received' })
  }
  assert.equal(dataOf(await scene.events(), 'message.received').length, 2)
})

test('a send that nobody can say the end of is settled by any status, with message.sent once', {
  rules: ['D7-22'],
}, async (t) => {
  const scene = await startInbound(t)
  await scene.fault('reset_after', '/messages')
  await assert.rejects(scene.send(), /SEND_RESULT_UNKNOWN/)
  const [unknown] = await scene.log()
  const opaque = { biz_opaque_callback_data: unknown?.id }

  await tell(scene, 'wamid.late', ['delivered', opaque])
  await tell(scene, 'wamid.late', ['read', opaque], ['sent', opaque])

  assert.equal(unknown?.status, 'unknown')
  const [line, ...others] = await scene.log()
  assert.deepEqual([line?.id, line?.status, line?.upstream_message_id], [unknown?.id, 'read', 'wamid.late'])
  assert.deepEqual([line?.content, others], [{ body: 'Bom dia!' }, []])
  const kinds = (await scene.events()).map(({ kind }) => kind).filter((kind) => kind.startsWith('message.'))
  assert.deepEqual(kinds, ['message.sent', 'message.status', 'message.status', 'message.status'])
})
