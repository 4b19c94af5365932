import assert from 'node:assert/strict'
import { test } from 'node:test'
import { echoOf, statusOf, textMessage } from './test/samples.ts'
import { AT, callbackOf, dataOf, type Entry, framed, type Scene, saying, telling } from './test/scene.ts'
import { allTaken, startTwins } from './test/twins.ts'

for (const table of ['seen_changes', 'message_wamids', 'events']) {
  test(`the same callback 20 times at once has one effect, where all of them meet at ${table}`, {
    rules: ['D8-07'],
  }, async (t) => {
    const scene = await startTwins(t)
    const { wamid } = await scene.send()
    const image = { type: 'image', image: { id: '1' } }
    const callback = callbackOf(
      saying(
        scene.channel,
        { messages: [textMessage('wamid.1'), textMessage('wamid.2', image)] },
        { statuses: [statusOf(wamid, 'read')] },
      ),
      telling(scene.channel, 'account_update', { event: 'ACCOUNT_RESTRICTION' }),
    )

    allTaken(await scene.meet(table, Array(20).fill(callback), 2))

    const log = await scene.log()
    assert.deepEqual(log.map(({ status }) => status).sort(), ['read', 'received', 'received'])
    const kinds = (await scene.events()).slice(2).map(({ kind }) => kind)
    assert.deepEqual(kinds.sort(), [
      ...[
        'account.update',
        'channel.degraded',
        'message.received',
        'message.received',
        'message.sent',
        'message.status',
      ],
    ])
    assert.equal((await scene.raws()).length, 3)
    const [kept] = await scene.sql<{ count: number }[]>`
      select count(*)::int as count from callbacks where position(${Buffer.from(scene.channel.number.wabaId)} in body) > 0`
    assert.equal(kept?.count, 20)
  })
}

test('the same message in 20 different callbacks at once is one line and one event', {
  rules: ['D8-06'],
}, async (t) => {
  const scene = await startTwins(t)
  const callbacks = Array.from({ length: 20 }, (_, i) =>
    callbackOf(saying(scene.channel, { messages: [textMessage('wamid.1')], i })),
  )

  allTaken(await scene.meet('message_wamids', callbacks, 2))

  assert.equal((await scene.log()).length, 1)
  assert.equal(dataOf(await scene.events(), 'message.received').length, 1)
  assert.equal((await scene.raws()).length, 20)
})

test('batches that overlap, each in another order, are all taken at once, and end in the right state', async (t) => {
  const scene = await startTwins(t)
  const sister = await scene.another({ wabaId: scene.channel.number.wabaId })
  const callbacks = Array.from({ length: 12 }, (_, turn) => callbackOf(...overlapping(scene, turn)))

  allTaken(await scene.meet('message_wamids', callbacks, 2))
  allTaken(await scene.postAll(callbacks))

  const log = await scene.log()
  assert.equal(log.length, 60)
  assert.ok(log.every(({ direction, status }) => status === (direction === 'inbound' ? 'received' : 'read')))
  assert.ok(log.every(({ type }) => type === 'text'))
  const events = await scene.events()
  assert.deepEqual(
    ['message.received', 'message.echo', 'message.status'].map((kind) => dataOf(events, kind).length),
    [30, 30, 60],
  )
  for (const { id } of [scene.channel, sister]) {
    const [row] = await scene.sql<{ status: string }[]>`select status from channels where id = ${id}`
    assert.equal(row?.status, 'degraded')
  }
})

/** The same thirty messages, thirty echoes and sixty statuses, in an order and in changes of each turn's own. */
function overlapping({ channel }: Scene, turn: number): Entry[] {
  const { wabaId: id } = channel.number
  const entries = Array.from({ length: 30 }, (_, i): Entry[] => {
    const image = { image: { id: `media ${i % 7}` } }
    const echo = { ...framed(channel), message_echoes: [echoOf(channel.digits, `echo ${i}`, image)], turn }
    return [
      saying(channel, { messages: [textMessage(`message ${i}`, image)], turn }),
      { id, changes: [{ field: 'smb_message_echoes', value: echo }] },
      saying(channel, { statuses: [statusOf(`echo ${i}`, 'read')], turn }),
      saying(channel, { statuses: [statusOf(`echo ${i}`, 'delivered')], turn }),
      ...(i % 6 === 0 ? [telling(channel, 'account_update', { event: 'ACCOUNT_RESTRICTION', turn }, AT + i)] : []),
    ]
  }).flat()
  const turned = [...entries.slice(turn * 9), ...entries.slice(0, turn * 9)]
  return turn % 2 === 0 ? turned : turned.reverse()
}
