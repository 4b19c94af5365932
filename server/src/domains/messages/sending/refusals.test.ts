import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer } from '../../../../test/hub.ts'
import { listAuditEntries, listEvents, readChannelRow } from '../../../../test/hub-with-upstream.ts'
import { freePort } from '../../../../test/journeys/processes.ts'
import { connectWithToken } from '../../../../test/relay.ts'
import { newKey, startRelayedSending, startSecondHub, startSending, text, toStatusAndCode } from '../test/fixture.ts'

const REFUSAL = {
  message: '(#131009) Parameter value is not valid',
  type: 'OAuthException',
  code: 131009,
  error_subcode: 2494010,
  error_data: { messaging_product: 'whatsapp', details: 'The link is no link.' },
  fbtrace_id: 'AbC_123',
}

test("a send that the upstream refuses is UPSTREAM_REJECTED with the upstream's error, and failed in the log", {
  rules: ['send.refusal-is-repeated'],
}, async (t) => {
  const { relay, send, log, sent } = await startRelayedSending(t)
  const caught = relay.catch('/messages')

  const sending = send()
  ;(await caught).answer(400, JSON.stringify({ error: REFUSAL }))
  const answer = await sending

  assert.deepEqual(toStatusAndCode(answer), [400, 'UPSTREAM_REJECTED'])
  assert.partialDeepStrictEqual(answer.body.error.details, {
    code: 131009,
    error_subcode: 2494010,
    title: 'Parameter value is not valid',
    details: 'The link is no link.',
    fbtrace_id: 'AbC_123',
  })
  const [entry] = await log()
  assert.equal(entry?.status, 'failed')
  assert.deepEqual(entry?.error, {
    code: 131009,
    title: 'Parameter value is not valid',
    details: 'The link is no link.',
  })
  assert.notEqual(entry?.failed_at, null)
  assert.equal(entry?.upstream_message_id, null)
  assert.deepEqual(await sent(), [])
})

test('a refusal is replayed unchanged for its key, marked as a replay, without another upstream call', {
  rules: ['send.refusal-is-repeated'],
}, async (t) => {
  const { fault, send, sendRequests, log } = await startSending(t)
  const [key, body] = [newKey(), text()]
  await fault('error', '/messages', { code: 131009 })

  const first = await send({ key, body })
  const replay = await send({ key, body })

  assert.deepEqual(toStatusAndCode(first), [400, 'UPSTREAM_REJECTED'])
  assert.equal(first.headers.get('idempotent-replayed'), null)
  const { request_id: _, ...error } = first.body.error
  const { request_id: __, ...again } = replay.body.error
  assert.deepEqual([replay.status, again], [400, error])
  assert.match(error.details.fbtrace_id, /^A\w+/)
  assert.equal(replay.headers.get('idempotent-replayed'), 'true')
  assert.equal((await sendRequests()).length, 1)
  assert.equal((await log()).length, 1)
})

test('a refusal with an almost empty error is replayed too', async (t) => {
  const { relay, send, sendRequests } = await startRelayedSending(t)
  const [key, body] = [newKey(), text()]
  const caught = relay.catch('/messages')

  const sending = send({ key, body })
  ;(await caught).answer(400, JSON.stringify({ error: { message: '', code: 100 } }))
  const first = await sending
  const replay = await send({ key, body })

  const details = { code: 100, error_subcode: null, title: '', details: null, fbtrace_id: null }
  for (const answer of [first, replay]) {
    assert.deepEqual(toStatusAndCode(answer), [400, 'UPSTREAM_REJECTED'])
    assert.partialDeepStrictEqual(answer.body.error.details, details)
  }
  assert.equal((await sendRequests()).length, 0)
})

test('a refusal whose words no column of text can hold is recorded and replayed', async (t) => {
  const { relay, send, log } = await startRelayedSending(t)
  const [key, body] = [newKey(), text()]
  const caught = relay.catch('/messages')

  const sending = send({ key, body })
  ;(await caught).answer(400, JSON.stringify({ error: { message: 'NUL \0, half \ud800', code: 100 } }))
  const first = await sending
  const replay = await send({ key, body })

  for (const answer of [first, replay]) assert.deepEqual(toStatusAndCode(answer), [400, 'UPSTREAM_REJECTED'])
  assert.deepEqual(
    (await log()).map(({ status, error }) => [status, error?.code]),
    [['failed', 100]],
  )
})

for (const [what, code, expected] of [
  ['the throughput of the number', 130429, [429, 'RATE_LIMITED']],
  ['the pair of sender and recipient', 131056, [429, 'RATE_LIMITED']],
  ['the account', 80007, [429, 'RATE_LIMITED']],
] as const) {
  test(`a throttle of ${what} is 429 with Retry-After, and the same key then sends`, {
    rules: ['send.certain-failure-frees-the-key', 'send.failed-try-stays-in-the-log'],
  }, async (t) => {
    const { fault, send, acceptedMessages, log } = await startSending(t)
    const [key, body] = [newKey(), text()]
    await fault('throttle', '/messages', { code })

    const limited = await send({ key, body })
    const free = await send({ key, body })

    assert.deepEqual(toStatusAndCode(limited), expected)
    assert.ok(Number(limited.headers.get('retry-after')) >= 1)
    assert.equal(limited.body.error.details.code, code)
    assert.equal(free.status, 202)
    assert.equal(free.headers.get('idempotent-replayed'), null)
    assert.equal((await acceptedMessages()).length, 1)
    assert.deepEqual(
      (await log()).map(({ status, error }) => [status, error?.code ?? null]),
      [
        ['accepted', null],
        ['failed', code],
      ],
    )
  })
}

for (const code of [131016, 2]) {
  test(`a transient error that the upstream reports (${code}) is 502, and the same key then sends`, {
    rules: ['send.certain-failure-frees-the-key', 'send.failed-try-stays-in-the-log'],
  }, async (t) => {
    const { fault, send, acceptedMessages, log } = await startSending(t)
    const [key, body] = [newKey(), text()]
    await fault('error', '/messages', { code })

    const failed = await send({ key, body })
    const free = await send({ key, body })

    assert.deepEqual(toStatusAndCode(failed), [502, 'UPSTREAM_UNAVAILABLE'])
    assert.equal(free.status, 202)
    assert.equal((await acceptedMessages()).length, 1)
    assert.deepEqual(
      (await log()).map(({ status }) => status),
      ['accepted', 'failed'],
    )
  })
}

test('a released key may be used with another body', { rules: ['send.certain-failure-frees-the-key'] }, async (t) => {
  const { fault, send } = await startSending(t)
  const key = newKey()
  await fault('throttle', '/messages')
  await send({ key })

  const other = await send({ key })

  assert.equal(other.status, 202)
})

test('an upstream that cannot be reached is 502 and failed in the log, and the same key then sends', {
  rules: ['send.certain-failure-frees-the-key', 'send.failed-try-stays-in-the-log'],
}, async (t) => {
  const { up, acme, send, sendRequests, log, sent } = await startSending(t)
  const disconnected = await startSecondHub(t, up, { url: `http://127.0.0.1:${await freePort()}` })
  const [key, body] = [newKey(), text()]

  const failed = await send({ key, body, as: disconnected.anonymous.with(bearer(acme.key)) })
  const [tried] = await log()
  const free = await send({ key, body })

  assert.deepEqual(toStatusAndCode(failed), [502, 'UPSTREAM_UNAVAILABLE'])
  assert.equal(tried?.status, 'failed')
  assert.deepEqual(tried?.error, { code: null, title: 'The upstream could not be reached', details: null })
  assert.equal(free.status, 202)
  assert.equal((await sendRequests()).length, 1)
  assert.equal((await sent()).length, 1)
})

test('a refused credential is CHANNEL_NOT_CONNECTED and disconnects the channel; after reconnecting the key sends', {
  rules: ['send.dead-credential-frees-the-key'],
}, async (t) => {
  const { hub, up, acme, channel, send, sendRequests, acceptedMessages, log } = await startSending(t)
  const [key, body] = [newKey(), text()]
  await up.simulator.control('POST', '/tokens/revoke', { waba_id: channel.number.wabaId })

  const refused = await send({ key, body })
  const disconnected = await send({ key, body })
  const issued = await up.simulator.control<{ access_token: string }>('POST', '/tokens', {
    waba_id: channel.number.wabaId,
  })
  const back = await connectWithToken(acme, channel.id, { ...channel.number, accessToken: issued.access_token })
  const sent = await send({ key, body })

  for (const answer of [refused, disconnected])
    assert.deepEqual(toStatusAndCode(answer), [400, 'CHANNEL_NOT_CONNECTED'])
  assert.equal(back.status, 200, back.text)
  assert.equal(sent.status, 202, sent.text)
  // The second request makes no upstream call.
  assert.equal((await sendRequests()).length, 2)
  assert.equal((await acceptedMessages()).length, 1)
  assert.deepEqual(
    (await log()).map(({ status, error }) => [status, error?.code ?? null]),
    [
      ['accepted', null],
      ['failed', 190],
    ],
  )
  const lost = (await listEvents(hub.sql, channel.id)).filter(({ kind }) => kind === 'channel.disconnected')
  assert.deepEqual(
    lost.map(({ data }) => data.reason),
    ['credential_refused'],
  )
})

test('a stored credential that cannot be decrypted is CHANNEL_NOT_CONNECTED without an upstream call', async (t) => {
  const { hub, acme, channel, send, sendRequests, log } = await startSending(t)
  const { access_token: sealed } = await readChannelRow(hub.sql, channel.id)
  const [key, body] = [newKey(), text()]
  const store = (token: string | null) => hub.sql`
    update channels set access_token = ${token} where id = ${channel.id}`
  await store('test.bm90LXNlYWxlZC1hdC1hbGw')

  const unreadable = await send({ key, body })
  await store(sealed)
  const readable = await send({ key, body })

  assert.deepEqual(toStatusAndCode(unreadable), [400, 'CHANNEL_NOT_CONNECTED'])
  assert.match(unreadable.body.error.message, /sealing keys\. Give the hub the key that sealed it, or connect/)
  assert.equal(readable.status, 202)
  assert.equal((await sendRequests()).length, 1)
  const [, tried] = await log()
  assert.equal(tried?.error?.title, 'The stored credential of the channel cannot be read')
  assert.equal((await listAuditEntries(acme, channel.id)).filter(({ action }) => /disconnect/.test(action)).length, 0)
})
