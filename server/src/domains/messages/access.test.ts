import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChannel } from '../../../test/connecting.ts'
import { bearer, type TestHub } from '../../../test/hub.ts'
import { newId } from '../../kernel/ids.ts'
import { SCOPES, type Scope } from '../auth/scopes.ts'
import { newKey, type Owner, startSending, text, told } from './test/scene.ts'

/** A key of the organization with these scopes. */
async function keyWith(hub: TestHub, acme: Owner, scopes: Scope[]) {
  const { body } = await acme.post('/api/v1/api-keys', { name: 'narrow', scopes })
  return hub.anonymous.with(bearer(body.data.secret))
}

function without(scope: Scope): Scope[] {
  return SCOPES.filter((other) => other !== scope)
}

function keyed() {
  return { headers: { 'idempotency-key': newKey() } }
}

test('sending needs messages:send and nothing else', { rules: ['D5-32'] }, async (t) => {
  const { hub, acme, send, asked } = await startSending(t)

  const allowed = await send({ as: await keyWith(hub, acme, ['messages:send']) })
  const refused = await send({ as: await keyWith(hub, acme, without('messages:send')) })

  assert.equal(allowed.status, 202)
  assert.deepEqual(told(refused), [403, 'INSUFFICIENT_SCOPE'])
  assert.deepEqual(refused.body.error.details, { scope: 'messages:send' })
  assert.equal((await asked()).length, 1)
})

test('reading the log needs messages:read and nothing else', async (t) => {
  const { hub, acme, path, send } = await startSending(t)
  await send()

  const allowed = await (await keyWith(hub, acme, ['messages:read'])).get(path)
  const refused = await (await keyWith(hub, acme, without('messages:read'))).get(path)

  assert.equal(allowed.body.data.messages.length, 1)
  assert.deepEqual(told(refused), [403, 'INSUFFICIENT_SCOPE'])
  assert.deepEqual(refused.body.error.details, { scope: 'messages:read' })
})

test('without a valid credential there is neither sending nor a log', async (t) => {
  const { hub, path, asked } = await startSending(t)

  const answers = [
    await hub.anonymous.post(path, text(), keyed()),
    await hub.anonymous.get(path),
    await hub.anonymous.with(bearer('hub_pk_wrong')).post(path, text(), keyed()),
  ]

  for (const answer of answers) assert.deepEqual(told(answer), [401, 'UNAUTHORIZED'])
  assert.deepEqual(await asked(), [])
})

test('a channel token sends by its own channel with messages:send, and reads the log with any scope', {
  rules: ['D5-20'],
}, async (t) => {
  const { hub, acme, channel, path, send, log } = await startSending(t)
  const sender = await hub.channelToken(acme.organizationId, channel.id, ['messages:send'])
  const other = await hub.channelToken(acme.organizationId, channel.id, ['media:write'])

  const allowed = await send({ as: sender })
  const refused = await send({ as: other })

  assert.equal(allowed.status, 202)
  assert.deepEqual(told(refused), [403, 'INSUFFICIENT_SCOPE'])
  for (const token of [sender, other]) assert.deepEqual(await log('', token), await log())
  assert.equal((await other.get(path)).body.data.messages.length, 1)
})

test('for a channel token another channel of its organization has neither sending nor a log', async (t) => {
  const { hub, acme, channel, connect, asked } = await startSending(t)
  const sibling = await connect(acme)
  const token = await hub.channelToken(acme.organizationId, channel.id, ['messages:send'])
  const path = `/api/v1/channels/${sibling.id}/messages`

  const answers = [await token.post(path, text(), keyed()), await token.get(path)]

  for (const answer of answers) assert.deepEqual(told(answer), [404, 'NOT_FOUND'])
  assert.deepEqual(await asked(), [])
})

test('a developer may send from a session, and a viewer may only read', async (t) => {
  const { hub, acme, path, send } = await startSending(t)
  const { organizationId } = acme
  const developer = await hub.person({ organizationId, role: 'developer' })
  const viewer = await hub.person({ organizationId, role: 'viewer' })

  const [sent, refused] = [await send({ as: developer }), await send({ as: viewer })]

  assert.equal(sent.status, 202)
  assert.deepEqual(told(refused), [403, 'INSUFFICIENT_SCOPE'])
  for (const person of [developer, viewer]) assert.equal((await person.get(path)).body.data.messages.length, 1)
})

test('a channel of another organization, and one that was never made, are 404 to sender and reader', {
  rules: ['MSE-10'],
}, async (t) => {
  const { hub, path, send, asked, log } = await startSending(t)
  const globex = await hub.organization()
  const absent = `/api/v1/channels/${newId()}/messages`

  const answers = [
    await send({ as: globex }),
    await globex.get(path),
    await globex.post(absent, text(), keyed()),
    await globex.get(absent),
  ]

  for (const answer of answers) assert.deepEqual(told(answer), [404, 'NOT_FOUND'])
  assert.deepEqual([await asked(), await log()], [[], []])
})

test('an archived channel is 404 to sender and reader, and its keys are worth nothing', async (t) => {
  const { acme, channel, path, send, asked } = await startSending(t)
  const [key, body] = [newKey(), text()]
  assert.equal((await send({ key, body })).status, 202)
  await acme.delete(`/api/v1/channels/${channel.id}`)

  const answers = [await send({ key, body }), await send(), await acme.get(path)]

  for (const answer of answers) assert.deepEqual(told(answer), [404, 'NOT_FOUND'])
  assert.equal((await asked()).length, 1)
})

test('a channel that was never connected is CHANNEL_NOT_CONNECTED, and its log stays empty', async (t) => {
  const { acme, asked } = await startSending(t)
  const { id } = await createChannel(acme)
  const path = `/api/v1/channels/${id}/messages`

  const answer = await acme.post(path, text(), keyed())

  assert.deepEqual(told(answer), [400, 'CHANNEL_NOT_CONNECTED'])
  assert.deepEqual((await acme.get(path)).body.data, { messages: [], next_cursor: null })
  assert.deepEqual(await asked(), [])
})

test('a disconnected channel is CHANNEL_NOT_CONNECTED without a log line, and still replays what it sent before', async (t) => {
  const { acme, channel, move, send, asked, log } = await startSending(t)
  const [key, body] = [newKey(), text()]
  const first = await send({ key, body })
  await move(acme, channel, 'DELETED')
  const [view] = (await acme.get('/api/v1/channels')).body.data.channels

  const [refused, replay] = [await send(), await send({ key, body })]

  assert.equal(view.status, 'disconnected')
  assert.deepEqual(told(refused), [400, 'CHANNEL_NOT_CONNECTED'])
  assert.deepEqual([replay.status, replay.body], [202, first.body])
  assert.equal((await asked()).length, 1)
  assert.equal((await log()).length, 1)
})

test('a degraded channel sends', async (t) => {
  const { acme, channel, move, send } = await startSending(t)
  await move(acme, channel, 'FLAGGED')
  const [view] = (await acme.get('/api/v1/channels')).body.data.channels

  const answer = await send()

  assert.equal(view.status, 'degraded')
  assert.equal(answer.status, 202)
})

test('an id in capital letters is the same channel, and its key the same key', async (t) => {
  const { acme, channel, send, asked } = await startSending(t)
  const [key, body] = [newKey(), text()]
  const first = await send({ key, body })

  const path = `/api/v1/channels/${channel.id.toUpperCase()}/messages`
  const replay = await acme.post(path, body, { headers: { 'idempotency-key': key } })

  assert.deepEqual([replay.status, replay.body], [202, first.body])
  assert.equal((await asked()).length, 1)
})
