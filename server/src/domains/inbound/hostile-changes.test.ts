import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CheckedEvent, createEventCheck } from '../../../test/event-check.ts'
import { buildCallback, buildMessagesEntry, buildMetadata, type InboundFixture, startInbound } from './test/fixture.ts'
import { HOSTILE_CHANGES, listSpoiledChanges, wrapChanges } from './test/hostile-changes.ts'
import { buildText } from './test/samples.ts'

async function assertEventsReadable({ sql, channel }: InboundFixture): Promise<number> {
  const check = createEventCheck()
  const events = await sql<CheckedEvent[]>`
    select id, kind, channel_id, occurred_at, body from events where channel_id = ${channel.id} order by id`
  for (const event of events) check(event)
  return events.length
}

for (const [what, buildChanges] of Object.entries(HOSTILE_CHANGES)) {
  test(`a callback with ${what} is accepted, and other changes and callbacks are unaffected`, async (t) => {
    const fixture = await startInbound(t)
    const { channel } = fixture
    const good = (id: string) => ({
      field: 'messages',
      value: { ...buildMetadata(channel), messages: [buildText(id)] },
    })
    const changes = buildChanges(channel)
    const callback = wrapChanges(channel, [JSON.stringify(good('first')), ...changes, JSON.stringify(good('last'))])

    const answers = await Promise.all([
      fixture.post(callback),
      ...[1, 2, 3, 4].map((i) =>
        fixture.post(buildCallback(buildMessagesEntry(channel, { messages: [buildText(`other ${i}`)] }))),
      ),
    ])

    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    const log = await fixture.log()
    for (const id of ['first', 'last', 'other 1', 'other 2', 'other 3', 'other 4']) {
      const [line, ...others] = log.filter(({ upstream_message_id }) => upstream_message_id === id)
      assert.deepEqual([line?.content, others.length], [buildText(id).text, 0], id)
    }
    assert.ok((await fixture.rawEvents()).length >= 6)
    await assertEventsReadable(fixture)
  })
}

test('a text keeps NUL characters and unpaired surrogates in the log and in the event', async (t) => {
  const fixture = await startInbound(t)
  const body = 'a\0b\ud83dc'

  await fixture.deliverMessages({ messages: [buildText('wamid.1', { text: { body } })] })

  const [line] = await fixture.log()
  assert.deepEqual(line?.content, { body })
  const [event] = (await fixture.events()).filter(({ kind }) => kind === 'message.received')
  assert.deepEqual(JSON.parse(`${event?.body}`).data.message, line)
})

test('a text of three megabytes is logged completely', async (t) => {
  const fixture = await startInbound(t)
  const body = 'x'.repeat(3 * 1024 * 1024)

  await fixture.deliverMessages({ messages: [buildText('wamid.1', { text: { body } })] })

  const [line] = await fixture.log()
  assert.ok(JSON.stringify(line?.content) === JSON.stringify({ body }))
})

test('entries with invalid ids do not affect other entries', async (t) => {
  const fixture = await startInbound(t)
  const changes = [{ field: 'f', value: {} }]
  const ids = ['1\0', '\ud800', 'x'.repeat(10_000), '', null, {}, [], true, -1, 1.5]

  const answer = await fixture.post(
    buildCallback(
      ...ids.map((id) => ({ id, changes })),
      buildMessagesEntry(fixture.channel, { messages: [buildText('wamid.1')] }),
    ),
  )

  assert.equal(answer.status, 200)
  assert.equal((await fixture.log()).length, 1)
})

test('a change that is nested too deeply is a raw event only', async (t) => {
  const fixture = await startInbound(t)
  const deep = `{"field":"messages","value":${'{"a":'.repeat(1e5)}1${'}'.repeat(1e5)}}`

  const answer = await fixture.post(wrapChanges(fixture.channel, [deep]))

  assert.equal(answer.status, 200)
  assert.deepEqual(await fixture.log(), [])
  const [raw] = await fixture.rawEvents()
  assert.ok(raw?.includes(deep))
})

test('a message that is nested too deeply is logged without the deep part, and other messages completely', async (t) => {
  const fixture = await startInbound(t)
  const { channel } = fixture
  const deep = '{"a":'.repeat(1e4) + 1 + '}'.repeat(1e4)
  const odd = JSON.stringify({ ...buildText('odd'), depths: 'DEEP' }).replace('"DEEP"', deep)
  const messages = [JSON.stringify(buildText('first')), odd, JSON.stringify(buildText('last'))]
  const value = JSON.stringify({ ...buildMetadata(channel), messages: 'MESSAGES' }).replace(
    '"MESSAGES"',
    `[${messages}]`,
  )

  const answer = await fixture.post(wrapChanges(channel, [`{"field":"messages","value":${value}}`]))

  assert.equal(answer.status, 200)
  const lines = (await fixture.log()).map((line) => [line.upstream_message_id, line.content])
  assert.deepEqual(
    new Map(lines as [string, unknown][]),
    new Map(['first', 'odd', 'last'].map((id) => [id, buildText(id).text])),
  )
  assert.ok((await fixture.rawEvents())[0]?.includes(deep))
  await assertEventsReadable(fixture)
})

test('a message with an invalid or too long id is a raw event without a log entry', async (t) => {
  const fixture = await startInbound(t)
  const ids = ['', null, {}, ['wamid.1'], true, 'x'.repeat(257), undefined]

  await fixture.deliverMessages({
    messages: [...ids.map((id) => ({ ...buildText('x'), id })), buildText('y'.repeat(256))],
  })

  const log = await fixture.log()
  assert.deepEqual(
    log.map(({ upstream_message_id }) => upstream_message_id),
    ['y'.repeat(256)],
  )
  assert.equal((await fixture.rawEvents()).length, 1)
})

test('a type with the name of an inherited property has only its own content', async (t) => {
  const fixture = await startInbound(t)

  const [first = '', ...others] = HOSTILE_CHANGES['keys that every object has']?.(fixture.channel) ?? []
  await fixture.post(wrapChanges(fixture.channel, [first, ...others]))

  const log = await fixture.log()
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

test('a change with any member of any type is accepted, and the log stays readable', async (t) => {
  const fixture = await startInbound(t)
  const changes = listSpoiledChanges(fixture.channel)
  const callbacks = Map.groupBy(changes.entries(), ([index]) => Math.floor(index / 400))

  for (const some of callbacks.values()) {
    const answer = await fixture.post(
      wrapChanges(
        fixture.channel,
        some.map(([, change]) => change),
      ),
    )
    assert.equal(answer.status, 200, answer.text)
  }

  assert.ok(changes.length > 1000, String(changes.length))
  assert.ok((await fixture.log()).length > 300)
  assert.ok((await assertEventsReadable(fixture)) > changes.length / 2)
})
