import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statusOf, textMessage } from './test/samples.ts'
import { AT, callbackOf, framed, type Scene, saying, startInbound, telling } from './test/scene.ts'

/** Changes of every field that becomes nothing but raw, and of some that become more. */
const FIELDS: Record<string, (scene: Scene) => object> = {
  messages: ({ channel }) => ({ ...framed(channel), messages: [textMessage('wamid.1')] }),
  smb_message_echoes: ({ channel }) => ({ ...framed(channel), message_echoes: [{ id: 'wamid.1', type: 'text' }] }),
  history: ({ channel }) => ({
    ...framed(channel),
    history: [
      { metadata: { phase: 0, chunk_order: 1, progress: 50 }, threads: [{ id: '1', messages: [textMessage('w')] }] },
    ],
  }),
  smb_app_state_sync: ({ channel }) => ({
    ...framed(channel),
    state_sync: [{ type: 'contact', contact: { full_name: 'Ana', phone_number: '5511' }, action: 'add' }],
  }),
  calls: ({ channel }) => ({
    ...framed(channel),
    calls: [{ id: 'wacid.1', event: 'connect', session: { sdp: 'v=0' } }],
  }),
  user_preferences: ({ channel }) => ({
    ...framed(channel),
    user_preferences: [{ wa_id: '5511', category: 'marketing_messages', value: 'stop', timestamp: AT }],
  }),
  account_update: () => ({ event: 'ACCOUNT_VIOLATION' }),
  payment_configuration_update: () => ({ configuration_name: 'pix' }),
  a_field_of_the_future: () => ({ anything: [1, { at: 'all' }] }),
}
const ONLY_RAW = ['history', 'smb_app_state_sync', 'calls', 'user_preferences', 'payment_configuration_update']

for (const [field, valueIn] of Object.entries(FIELDS)) {
  test(`a change of ${field} becomes one upstream.raw with the bytes of the change as they came`, {
    rules: ['D8-16', 'RCV-05'],
  }, async (t) => {
    const scene = await startInbound(t)
    const change = `{ "field" :"${field}","value":${JSON.stringify(valueIn(scene)).replaceAll('a', '\\u0061')}  }`
    const entry = `"id":"${scene.channel.number.wabaId}", "time" : ${AT},"other":{"x": 1.50}`

    const answer = await scene.post(`{"entry": [{"changes":[${change}],${entry}}], "object":"account"}`)

    assert.equal(answer.status, 200)
    const [raw, ...others] = (await scene.raws()).map(String)
    assert.deepEqual(others, [])
    const members = `"id":"${scene.channel.number.wabaId}","time" : ${AT},"other":{"x": 1.50}`
    assert.equal(raw, `{"object":"account","entry":[{${members},"changes":[${change}]}]}`)
  })
}

for (const field of [...ONLY_RAW, 'a_field_of_the_future']) {
  test(`a change of ${field} becomes nothing else`, { rules: ['D8-08'] }, async (t) => {
    const scene = await startInbound(t)
    const before = await scene.events()

    await scene.deliver(telling(scene.channel, field, FIELDS[field]?.(scene)))

    assert.deepEqual(await scene.events(), before)
    assert.deepEqual(await scene.log(), [])
    assert.equal((await scene.raws()).length, 1)
  })
}

test('bytes that are no UTF-8 are passed on as they came', async (t) => {
  const scene = await startInbound(t)
  const head = `{"object":"o","entry":[{"id":"${scene.channel.number.wabaId}","changes":[{"field":"f","value":"`
  const bytes = Buffer.concat([
    Buffer.from(head),
    Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
    Buffer.from('"}]}]}'),
  ])

  const answer = await scene.post(bytes)

  assert.equal(answer.status, 200)
  const [raw] = await scene.raws()
  assert.ok(raw?.equals(bytes), String(raw))
})

test('each change of a callback has an event of its own, with the members of its own entry', {
  rules: ['D8-16'],
}, async (t) => {
  const scene = await startInbound(t)
  const { wabaId: id } = scene.channel.number
  const changes = [1, 2, 3].map((value) => ({ field: 'f', value: { value } }))

  await scene.deliver({ id, time: AT, changes: changes.slice(0, 2) }, { id, time: AT + 1, changes: changes.slice(2) })

  const bodies = (await scene.raws()).map((raw) => JSON.parse(`${raw}`))
  const alone = (i: number, time: number) => callbackOf({ id, time, changes: changes.slice(i, i + 1) })
  assert.deepEqual(bodies, [alone(0, AT), alone(1, AT), alone(2, AT + 1)])
})

test('an upstream.raw happened when its entry says, and now where it does not', async (t) => {
  const scene = await startInbound(t)
  const before = scene.hub.clock.now().toISOString()

  await scene.deliver(telling(scene.channel, 'f', 1), { ...telling(scene.channel, 'f', 2), time: 'soon' })

  const rows = await scene.sql<{ occurred_at: string }[]>`
    select occurred_at from events where channel_id = ${scene.channel.id} and kind = 'upstream.raw' order by id`
  assert.equal(rows[0]?.occurred_at, new Date(AT * 1000).toISOString())
  assert.ok(before <= (rows[1]?.occurred_at ?? ''))
})

test('the same change on the same channel again gives no second event of any kind', { rules: ['D8-18'] }, async (t) => {
  const scene = await startInbound(t)
  const twice = [
    telling(scene.channel, 'account_review_update', { decision: 'APPROVED' }),
    telling(scene.channel, 'f', 1),
    saying(scene.channel, { statuses: [statusOf('wamid.1', 'sent')] }),
  ]

  await scene.deliver(...twice, ...twice)
  const first = [await scene.events(), await scene.raws()]
  await scene.deliver(...twice)
  await scene.deliver(...twice.toReversed())

  assert.equal(first[1]?.length, 3)
  assert.deepEqual([await scene.events(), await scene.raws()], first)
})

test('the same change at another time of its entry is another change', async (t) => {
  const scene = await startInbound(t)
  const value = { decision: 'APPROVED' }

  await scene.deliver(telling(scene.channel, 'account_review_update', value, AT))
  await scene.deliver(telling(scene.channel, 'account_review_update', value, AT + 1))

  assert.equal((await scene.events()).filter(({ kind }) => kind === 'account.update').length, 2)
  assert.equal((await scene.raws()).length, 2)
})

test('the same change of an account is new to a channel that is connected later', async (t) => {
  const scene = await startInbound(t)
  const change = telling(scene.channel, 'account_review_update', { decision: 'APPROVED' })
  await scene.deliver(change)
  const sister = await scene.another({ wabaId: scene.channel.number.wabaId })

  await scene.deliver(change)

  assert.deepEqual([(await scene.raws()).length, (await scene.raws(sister)).length], [1, 1])
})

test('a change is forgotten after ten days, when the upstream has long stopped to repeat it', async (t) => {
  const scene = await startInbound(t)
  const change = telling(scene.channel, 'f', 1)
  await scene.deliver(change)

  await scene.hub.clock.advance('9 days')
  await scene.hub.context.inbound.forgetSeen()
  await scene.deliver(change)
  const within = (await scene.raws()).length
  await scene.hub.clock.advance('2 days')
  await scene.hub.context.inbound.forgetSeen()
  await scene.deliver(change)

  assert.deepEqual([within, (await scene.raws()).length], [1, 2])
})
