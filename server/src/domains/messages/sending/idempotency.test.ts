import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLES } from '../body/test/examples.ts'
import { newContact, newKey, startSending, text, toStatusAndCode } from '../test/fixture.ts'

test('a send without an Idempotency-Key is 400 with the path of the header, and nothing is sent', {
  rules: ['send.idempotency-key-is-required'],
}, async (t) => {
  const { acme, path, sendRequests, log } = await startSending(t)

  const answer = await acme.post(path, text())

  assert.deepEqual(toStatusAndCode(answer), [400, 'INVALID_REQUEST'])
  assert.partialDeepStrictEqual(answer.body.error.details.issues, [
    { path: '/idempotency-key', message: 'is required' },
  ])
  assert.deepEqual([await sendRequests(), await log()], [[], []])
})

test('an Idempotency-Key has 8 to 200 characters: 7 and 201 are 400, and nothing is sent', async (t) => {
  const { send, sendRequests } = await startSending(t)

  const [short, shortest, longest, long] = [
    await send({ key: 'k'.repeat(7) }),
    await send({ key: 'k'.repeat(8) }),
    await send({ key: 'k'.repeat(200) }),
    await send({ key: 'k'.repeat(201) }),
  ]

  for (const refused of [short, long]) {
    assert.deepEqual(toStatusAndCode(refused), [400, 'INVALID_REQUEST'])
    assert.equal(refused.body.error.details.issues[0].path, '/idempotency-key')
  }
  assert.deepEqual([shortest.status, longest.status], [202, 202])
  assert.equal((await sendRequests()).length, 2)
})

test('the same key with the same body gets the same 202 as a replay, with one upstream call', {
  rules: ['send.same-key-sends-once'],
}, async (t) => {
  const { send, sendRequests, log, sent } = await startSending(t)
  const [key, body] = [newKey(), text()]

  const first = await send({ key, body })
  const second = await send({ key, body })
  const third = await send({ key, body })

  assert.equal(first.status, 202)
  assert.equal(first.headers.get('idempotent-replayed'), null)
  for (const replay of [second, third]) {
    assert.deepEqual([replay.status, replay.body], [202, first.body])
    assert.equal(replay.headers.get('idempotent-replayed'), 'true')
  }
  assert.equal((await sendRequests()).length, 1)
  assert.equal((await log()).length, 1)
  assert.equal((await sent()).length, 1)
})

test('the 202 of a key stays the same when the status of its message changes', {
  rules: ['send.same-key-sends-once'],
}, async (t) => {
  const { up, channel, send, wait, log } = await startSending(t)
  const to = newContact()
  await up.simulator.control('POST', `/contacts/${to}/messages`, { to: channel.number.phoneNumberId })
  const [key, body] = [newKey(), text('Olá', to)]

  const first = await send({ key, body })
  await wait(60)
  const replay = await send({ key, body })

  assert.equal((await log('direction=outbound'))[0]?.status, 'read')
  assert.deepEqual([replay.status, replay.body], [202, first.body])
})

test('a body with its members in another order or with other white space is the same body', async (t) => {
  const { acme, path, sendRequests } = await startSending(t)
  const headers = { 'idempotency-key': newKey(), 'content-type': 'application/json' }
  const body = { ...EXAMPLES.list, to: newContact() }

  const first = await acme.send('POST', path, { raw: JSON.stringify(body), headers })
  const spaced = await acme.send('POST', path, { raw: JSON.stringify(body, null, 4), headers })
  const reordered = await acme.send('POST', path, { raw: JSON.stringify(reverseMembers(body)), headers })

  assert.equal(first.status, 202, first.text)
  assert.notEqual(JSON.stringify(reverseMembers(body)), JSON.stringify(body))
  for (const replay of [spaced, reordered]) assert.deepEqual([replay.status, replay.body], [202, first.body])
  assert.equal((await sendRequests()).length, 1)
})

function reverseMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseMembers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reverseMembers(member)]),
  )
}

test('the same key with another body is IDEMPOTENCY_KEY_REUSED, and is not sent', {
  rules: ['send.same-key-other-body-is-400'],
}, async (t) => {
  const { send, sendRequests, log } = await startSending(t)
  const key = newKey()
  const { to } = text()
  await send({ key, body: text('Olá', to) })

  for (const body of [text('Olá.', to), text('Olá'), { to, type: 'text', text: { body: 'Olá', preview_url: false } }]) {
    const answer = await send({ key, body })

    assert.deepEqual(toStatusAndCode(answer), [400, 'IDEMPOTENCY_KEY_REUSED'])
    assert.equal(answer.headers.get('idempotent-replayed'), null)
  }
  assert.equal((await sendRequests()).length, 1)
  assert.equal((await log()).length, 1)
})

test('the same key with another body is IDEMPOTENCY_KEY_REUSED after a refusal', {
  rules: ['send.same-key-other-body-is-400'],
}, async (t) => {
  const { fault, send, sendRequests } = await startSending(t)
  const key = newKey()
  await fault('error', '/messages', { code: 131009 })
  await send({ key })

  const answer = await send({ key })

  assert.deepEqual(toStatusAndCode(answer), [400, 'IDEMPOTENCY_KEY_REUSED'])
  assert.equal((await sendRequests()).length, 1)
})

test('the same key with another body is IDEMPOTENCY_KEY_REUSED while the outcome is unknown', {
  rules: ['send.same-key-other-body-is-400'],
}, async (t) => {
  const { fault, send, sendRequests } = await startSending(t)
  const key = newKey()
  await fault('reset_after', '/messages')
  await send({ key })

  const answer = await send({ key })

  assert.deepEqual(toStatusAndCode(answer), [400, 'IDEMPOTENCY_KEY_REUSED'])
  assert.equal((await sendRequests()).length, 1)
})

test('a key belongs to its channel, and is free on every other channel', {
  rules: ['send.key-belongs-to-its-channel'],
}, async (t) => {
  const { hub, acme, connect, send, sendRequests } = await startSending(t)
  const globex = await hub.organization()
  const [sibling, foreign] = [await connect(acme), await connect(globex)]
  const [key, body] = [newKey(), text()]
  const headers = { 'idempotency-key': key }

  const answers = [
    await send({ key, body }),
    await acme.post(`/api/v1/channels/${sibling.id}/messages`, body, { headers }),
    await globex.post(`/api/v1/channels/${foreign.id}/messages`, body, { headers }),
  ]

  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 202, 202],
  )
  assert.deepEqual(
    answers.map((answer) => answer.headers.get('idempotent-replayed')),
    [null, null, null],
  )
  assert.equal(new Set(answers.map(({ body }) => body.data.message.id)).size, 3)
  assert.equal((await sendRequests()).length, 3)
})

test('a key is shared by all credentials of its channel', async (t) => {
  const { hub, acme, channel, send, sendRequests } = await startSending(t)
  const token = await hub.channelToken(acme.organizationId, channel.id, ['messages:send'])
  const [key, body] = [newKey(), text()]
  const first = await send({ key, body })

  const replay = await send({ key, body, as: token })

  assert.deepEqual([replay.status, replay.body], [202, first.body])
  assert.equal((await sendRequests()).length, 1)
})

test('keys are case-sensitive', async (t) => {
  const { send, sendRequests } = await startSending(t)
  const body = text()

  const answers = [await send({ key: 'order-ABC', body }), await send({ key: 'order-abc', body })]

  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 202],
  )
  assert.equal((await sendRequests()).length, 2)
})
