import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CheckedEvent, createEventCheck } from '../../../test/event-check.ts'
import { around, POISONS, spoiledChanges } from './test/poison.ts'
import { textMessage } from './test/samples.ts'
import { callbackOf, framed, type Scene, saying, startInbound } from './test/scene.ts'

async function assertEventsReadable({ sql, channel }: Scene): Promise<number> {
  const check = createEventCheck()
  const events = await sql<CheckedEvent[]>`
    select id, kind, channel_id, occurred_at, body from events where channel_id = ${channel.id} order by id`
  for (const event of events) check(event)
  return events.length
}

for (const [what, poison] of Object.entries(POISONS)) {
  test(`${what}: taken, and neither the neighbours nor the callbacks beside it suffer`, async (t) => {
    const scene = await startInbound(t)
    const { channel } = scene
    const good = (id: string) => ({ field: 'messages', value: { ...framed(channel), messages: [textMessage(id)] } })
    const changes = poison(channel)
    const callback = around(channel, [JSON.stringify(good('first')), ...changes, JSON.stringify(good('last'))])

    const answers = await Promise.all([
      scene.post(callback),
      ...[1, 2, 3, 4].map((i) => scene.post(callbackOf(saying(channel, { messages: [textMessage(`beside ${i}`)] })))),
    ])

    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    const log = await scene.log()
    for (const id of ['first', 'last', 'beside 1', 'beside 2', 'beside 3', 'beside 4']) {
      const [line, ...others] = log.filter(({ upstream_message_id }) => upstream_message_id === id)
      assert.deepEqual([line?.content, others.length], [textMessage(id).text, 0], id)
    }
    assert.ok((await scene.raws()).length >= 6)
    await assertEventsReadable(scene)
  })
}

test('a text keeps its NUL and its half of a surrogate pair, in the log and in the event', async (t) => {
  const scene = await startInbound(t)
  const body = 'a\0b\ud83dc'

  await scene.say({ messages: [textMessage('wamid.1', { text: { body } })] })

  const [line] = await scene.log()
  assert.deepEqual(line?.content, { body })
  const [event] = (await scene.events()).filter(({ kind }) => kind === 'message.received')
  assert.deepEqual(JSON.parse(`${event?.body}`).data.message, line)
})

test('a text of three megabytes is whole in the log', async (t) => {
  const scene = await startInbound(t)
  const body = 'x'.repeat(3 * 1024 * 1024)

  await scene.say({ messages: [textMessage('wamid.1', { text: { body } })] })

  const [line] = await scene.log()
  assert.ok(JSON.stringify(line?.content) === JSON.stringify({ body }))
})

test('an entry whose id is no id does not take its neighbours along', async (t) => {
  const scene = await startInbound(t)
  const changes = [{ field: 'f', value: {} }]
  const ids = ['1\0', '\ud800', 'x'.repeat(10_000), '', null, {}, [], true, -1, 1.5]

  const answer = await scene.post(
    callbackOf(...ids.map((id) => ({ id, changes })), saying(scene.channel, { messages: [textMessage('wamid.1')] })),
  )

  assert.equal(answer.status, 200)
  assert.equal((await scene.log()).length, 1)
})

test('a change that is nested too deep is passed on raw, and becomes nothing else', async (t) => {
  const scene = await startInbound(t)
  const deep = `{"field":"messages","value":${'{"a":'.repeat(1e5)}1${'}'.repeat(1e5)}}`

  const answer = await scene.post(around(scene.channel, [deep]))

  assert.equal(answer.status, 200)
  assert.deepEqual(await scene.log(), [])
  const [raw] = await scene.raws()
  assert.ok(raw?.includes(deep))
})

test('a message that is nested too deep is logged without its depths, and its neighbours in the change whole', async (t) => {
  const scene = await startInbound(t)
  const { channel } = scene
  const deep = '{"a":'.repeat(1e4) + 1 + '}'.repeat(1e4)
  const odd = JSON.stringify({ ...textMessage('odd'), depths: 'DEEP' }).replace('"DEEP"', deep)
  const messages = [JSON.stringify(textMessage('first')), odd, JSON.stringify(textMessage('last'))]
  const value = JSON.stringify({ ...framed(channel), messages: 'MESSAGES' }).replace('"MESSAGES"', `[${messages}]`)

  const answer = await scene.post(around(channel, [`{"field":"messages","value":${value}}`]))

  assert.equal(answer.status, 200)
  const lines = (await scene.log()).map((line) => [line.upstream_message_id, line.content])
  assert.deepEqual(
    new Map(lines as [string, unknown][]),
    new Map(['first', 'odd', 'last'].map((id) => [id, textMessage(id).text])),
  )
  assert.ok((await scene.raws())[0]?.includes(deep))
  await assertEventsReadable(scene)
})

test('a message whose id is none, or too long to be one, is passed on raw and is no line of the log', async (t) => {
  const scene = await startInbound(t)
  const ids = ['', null, {}, ['wamid.1'], true, 'x'.repeat(257), undefined]

  await scene.say({ messages: [...ids.map((id) => ({ ...textMessage('x'), id })), textMessage('y'.repeat(256))] })

  const log = await scene.log()
  assert.deepEqual(
    log.map(({ upstream_message_id }) => upstream_message_id),
    ['y'.repeat(256)],
  )
  assert.equal((await scene.raws()).length, 1)
})

test('a type of every object’s own names is a type like another, and its content is its own or none', async (t) => {
  const scene = await startInbound(t)

  const [first = '', ...others] = POISONS['keys that every object has']?.(scene.channel) ?? []
  await scene.post(around(scene.channel, [first, ...others]))

  const log = await scene.log()
  assert.deepEqual(
    log.map(({ type, content, context }) => [type, JSON.stringify(content), JSON.stringify(context)]),
    [
      ['__proto__', '{"__proto__":1}', '{"__proto__":{"a":1}}'],
      ['constructor', 'null', 'null'],
      ['hasOwnProperty', '{"toString":1,"toJSON":"x"}', 'null'],
    ],
  )
  assert.equal(({} as { a?: number }).a, undefined)
})

test('whatever member of a change has whatever type, the change is taken and the log can be read', async (t) => {
  const scene = await startInbound(t)
  const changes = spoiledChanges(scene.channel)
  const callbacks = Map.groupBy(changes.entries(), ([index]) => Math.floor(index / 400))

  for (const some of callbacks.values()) {
    const answer = await scene.post(
      around(
        scene.channel,
        some.map(([, change]) => change),
      ),
    )
    assert.equal(answer.status, 200, answer.text)
  }

  assert.ok(changes.length > 1000, String(changes.length))
  assert.ok((await scene.log()).length > 300)
  assert.ok((await assertEventsReadable(scene)) > changes.length / 2)
})
