import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONTACT, echoOf, PERSON, statusOf, USER_ID } from './test/samples.ts'
import { AT, dataOf, type Entry, framed, iso, type Scene, startInbound } from './test/scene.ts'

function echoing(scene: Scene, id: string, more: object = {}, value: object = {}): Entry {
  const echo = echoOf(scene.channel.digits, id, more)
  const change = { field: 'smb_message_echoes', value: { ...framed(scene.channel), message_echoes: [echo], ...value } }
  return { id: scene.channel.number.wabaId, changes: [change] }
}

function telling(scene: Scene, status: object): Entry {
  const change = { field: 'messages', value: { ...framed(scene.channel), contacts: [CONTACT], statuses: [status] } }
  return { id: scene.channel.number.wabaId, changes: [change] }
}

test('an echo is an outbound line with the status sent, and a message.echo with exactly that line', {
  rules: ['D7-19', 'D8-12', 'D9-02'],
}, async (t) => {
  const scene = await startInbound(t)

  await scene.deliver(echoing(scene, 'wamid.e', { context: { id: 'wamid.0' } }))

  const [line, ...others] = await scene.log()
  assert.deepEqual(others, [])
  assert.deepEqual(line, {
    ...{ id: line?.id, channel_id: scene.channel.id, direction: 'outbound', type: 'text', status: 'sent' },
    ...{ from: scene.channel.digits, to: PERSON, contact: null, upstream_message_id: 'wamid.e' },
    ...{ content: { body: 'Já vai!' }, context: { id: 'wamid.0' }, error: null, pricing: null },
    ...{ created_at: iso(AT), sent_at: iso(AT), delivered_at: null, read_at: null, failed_at: null },
  })
  const events = (await scene.events()).filter(({ kind }) => kind.startsWith('message.'))
  assert.deepEqual(
    events.map(({ kind, occurred_at }) => [kind, occurred_at]),
    [['message.echo', iso(AT)]],
  )
  assert.deepEqual(dataOf(events), [{ message: line }])
})

test('an echo to somebody who shows no phone number is known by the user id', async (t) => {
  const scene = await startInbound(t)
  const value = { contacts: [{ profile: { name: 'Ana' }, user_id: USER_ID }] }

  await scene.deliver(echoing(scene, 'wamid.e', { to: undefined, to_user_id: USER_ID }, value))

  const [line] = await scene.log()
  assert.deepEqual([line?.to, line?.contact], [null, { name: 'Ana', user_id: USER_ID }])
})

test('an edit and a revocation in the business app are echoes of their own', async (t) => {
  const scene = await startInbound(t)
  const edit = { original_message_id: 'wamid.e', message: { type: 'text', text: { body: 'Já foi!' } } }

  await scene.deliver(
    echoing(scene, 'wamid.e'),
    echoing(scene, 'wamid.f', { type: 'edit', edit }),
    echoing(scene, 'wamid.g', { type: 'revoke', revoke: { original_message_id: 'wamid.e' } }),
  )

  const log = await scene.log()
  assert.deepEqual(
    log.map(({ type, content }) => [type, content]),
    [
      ['text', { body: 'Já vai!' }],
      ['edit', edit],
      ['revoke', { original_message_id: 'wamid.e' }],
    ],
  )
})

test('an echo and the statuses of the same message make the same line, whichever comes first', {
  rules: ['D7-37'],
}, async (t) => {
  const scene = await startInbound(t)
  const errors = [{ code: 131060, title: 'Unavailable', error_data: { details: 'On the phone only' } }]
  const echo = (id: string) => echoing(scene, id, { errors, timestamp: String(AT + 2) })
  const sent = (id: string) => telling(scene, statusOf(id, 'sent', { timestamp: String(AT + 1) }))
  const read = (id: string) => telling(scene, statusOf(id, 'read', { timestamp: String(AT + 9) }))

  await scene.deliver(echo('wamid.a'))
  await scene.deliver(sent('wamid.a'), read('wamid.a'))
  await scene.deliver(read('wamid.b'), sent('wamid.b'))
  const [, placeholder] = await scene.log()
  await scene.deliver(echo('wamid.b'))
  await scene.deliver(sent('wamid.c'), echo('wamid.c'), read('wamid.c'))

  assert.deepEqual([placeholder?.type, placeholder?.status], ['unknown', 'read'])
  const [first, ...others] = (await scene.log()).map(({ id, upstream_message_id, ...line }) => line)
  assert.deepEqual(others, [first, first])
  assert.deepEqual(first, {
    ...{ channel_id: scene.channel.id, direction: 'outbound', type: 'text', status: 'read' },
    ...{ from: scene.channel.digits, to: PERSON, contact: { name: 'Ana Souza', user_id: USER_ID } },
    ...{ content: { body: 'Já vai!' }, context: null, pricing: null },
    error: { code: 131060, title: 'Unavailable', details: 'On the phone only' },
    ...{ created_at: iso(AT + 2), sent_at: iso(AT + 1), delivered_at: null, read_at: iso(AT + 9), failed_at: null },
  })
  const events = await scene.events()
  assert.equal(dataOf(events, 'message.echo').length, 3)
  assert.equal(dataOf(events, 'message.status').length, 6)
})

test('an echo of a failed message keeps the failure, and the failure’s error', async (t) => {
  const scene = await startInbound(t)
  const failed = (id: string) =>
    telling(scene, statusOf(id, 'failed', { errors: [{ code: 131026, title: 'Undeliverable' }] }))
  const echo = (id: string) => echoing(scene, id, { errors: [{ code: 131060, title: 'Unavailable' }] })

  await scene.deliver(failed('wamid.a'), echo('wamid.a'))
  await scene.deliver(echo('wamid.b'), failed('wamid.b'))

  for (const line of await scene.log()) assert.deepEqual([line.status, line.error?.code], ['failed', 131026])
})

test('an echo that comes twice is one line and one event', async (t) => {
  const scene = await startInbound(t)

  await scene.deliver(echoing(scene, 'wamid.e'), echoing(scene, 'wamid.e', { text: { body: 'other' } }))
  await scene.deliver(echoing(scene, 'wamid.e', {}, { more: 1 }))

  const [line, ...others] = await scene.log()
  assert.deepEqual([line?.content, others], [{ body: 'Já vai!' }, []])
  assert.equal(dataOf(await scene.events(), 'message.echo').length, 1)
})

test('an echo of what the hub sent itself changes nothing', async (t) => {
  const scene = await startInbound(t)
  const { wamid } = await scene.send()
  const before = await scene.log()

  await scene.deliver(echoing(scene, wamid))

  assert.deepEqual(await scene.log(), before)
  assert.deepEqual(dataOf(await scene.events(), 'message.echo'), [])
})
