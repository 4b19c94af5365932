import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChannel } from '../../../../test/hub-with-upstream.ts'
import { newId } from '../../../kernel/ids.ts'
import { newKey, startSending, text, toStatusAndCode } from '../test/fixture.ts'

function withKey() {
  return { headers: { 'idempotency-key': newKey() } }
}

test('a channel token gets 404 for sends and the log of another channel of its organization', async (t) => {
  const { hub, acme, channel, connect, sendRequests } = await startSending(t)
  const sibling = await connect(acme)
  const token = await hub.channelToken(acme.organizationId, channel.id, ['messages:send', 'messages:read'])
  const path = `/api/v1/channels/${sibling.id}/messages`

  const answers = [await token.post(path, text(), withKey()), await token.get(path)]

  for (const answer of answers) assert.deepEqual(toStatusAndCode(answer), [404, 'NOT_FOUND'])
  assert.deepEqual(await sendRequests(), [])
})

test('sends and the log of a foreign or missing channel are 404', {
  rules: ['error.absent-and-foreign-are-404'],
}, async (t) => {
  const { hub, path, send, sendRequests, log } = await startSending(t)
  const globex = await hub.organization()
  const absent = `/api/v1/channels/${newId()}/messages`

  const answers = [
    await send({ as: globex }),
    await globex.get(path),
    await globex.post(absent, text(), withKey()),
    await globex.get(absent),
  ]

  for (const answer of answers) assert.deepEqual(toStatusAndCode(answer), [404, 'NOT_FOUND'])
  assert.deepEqual([await sendRequests(), await log()], [[], []])
})

test('sends and the log of an archived channel are 404, also for a used Idempotency-Key', async (t) => {
  const { acme, channel, path, send, sendRequests } = await startSending(t)
  const [key, body] = [newKey(), text()]
  assert.equal((await send({ key, body })).status, 202)
  await acme.delete(`/api/v1/channels/${channel.id}`)

  const answers = [await send({ key, body }), await send(), await acme.get(path)]

  for (const answer of answers) assert.deepEqual(toStatusAndCode(answer), [404, 'NOT_FOUND'])
  assert.equal((await sendRequests()).length, 1)
})

test('a send to a channel that was never connected is CHANNEL_NOT_CONNECTED, and its log stays empty', async (t) => {
  const { acme, sendRequests } = await startSending(t)
  const { id } = await createChannel(acme)
  const path = `/api/v1/channels/${id}/messages`

  const answer = await acme.post(path, text(), withKey())

  assert.deepEqual(toStatusAndCode(answer), [400, 'CHANNEL_NOT_CONNECTED'])
  assert.deepEqual((await acme.get(path)).body.data, { messages: [], next_cursor: null })
  assert.deepEqual(await sendRequests(), [])
})

test('a send to a disconnected channel is CHANNEL_NOT_CONNECTED without a log entry, and earlier keys are replayed', async (t) => {
  const { acme, channel, move, send, sendRequests, log } = await startSending(t)
  const [key, body] = [newKey(), text()]
  const first = await send({ key, body })
  await move(acme, channel, 'DELETED')
  const [view] = (await acme.get('/api/v1/channels')).body.data.channels

  const [refused, replay] = [await send(), await send({ key, body })]

  assert.equal(view.status, 'disconnected')
  assert.deepEqual(toStatusAndCode(refused), [400, 'CHANNEL_NOT_CONNECTED'])
  assert.deepEqual([replay.status, replay.body], [202, first.body])
  assert.equal((await sendRequests()).length, 1)
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

test('a channel id in capital letters is the same channel with the same keys', async (t) => {
  const { acme, channel, send, sendRequests } = await startSending(t)
  const [key, body] = [newKey(), text()]
  const first = await send({ key, body })

  const path = `/api/v1/channels/${channel.id.toUpperCase()}/messages`
  const replay = await acme.post(path, body, { headers: { 'idempotency-key': key } })

  assert.deepEqual([replay.status, replay.body], [202, first.body])
  assert.equal((await sendRequests()).length, 1)
})
