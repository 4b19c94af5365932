import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../../test/client.ts'
import { bearer, type TestHub } from '../../../../test/hub.ts'
import { newId } from '../../../kernel/ids.ts'
import { newContact, newKey, startSecondHub, startSending, text, toStatusAndCode } from '../test/fixture.ts'

const PER_SECOND = 80

/** Extends the open windows, so that the test does not depend on the speed of the machine. */
async function holdWindows({ sql }: TestHub, bucket: string): Promise<void> {
  await sql`update rate_limits set window_ends_at = hub_now() + interval '1 minute' where bucket = ${bucket}`
}

function assertLimited(answer: Answer, limit: number): void {
  assert.deepEqual(toStatusAndCode(answer), [429, 'RATE_LIMITED'])
  const wait = answer.headers.get('retry-after')
  assert.ok(Number(wait) >= 1)
  assert.equal(answer.headers.get('ratelimit-limit'), String(limit))
  assert.equal(answer.headers.get('ratelimit-remaining'), '0')
  assert.equal(answer.headers.get('ratelimit-reset'), wait)
}

/** Requests with an empty body are counted before they are refused, so they are a cheap way to use up a limit. */
function repeat<T>(count: number, send: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, send))
}

test('the 81st send within a window is 429 and does not use its key', {
  rules: ['limit.80-sends-a-second', 'limit.600-other-requests-a-minute'],
}, async (t) => {
  const { hub, up, send, sendRequests, log } = await startSending(t)
  // The upstream has the same limit, and its clock does not advance by itself.
  await up.simulator.control('PUT', '/limits', { enforced: false })
  const first = await send()
  await holdWindows(hub, 'sends')
  const rest = await repeat(PER_SECOND - 1, () => send())
  const [key, body] = [newKey(), text()]

  const over = await send({ key, body })
  await hub.clock.advance('2 minutes')
  const next = await send({ key, body })

  assert.deepEqual([...new Set([first, ...rest].map(({ status }) => status))], [202])
  assert.equal(first.headers.get('ratelimit-limit'), '80')
  assert.equal(first.headers.get('ratelimit-reset'), '1')
  assert.deepEqual(
    [first, ...rest].map((answer) => Number(answer.headers.get('ratelimit-remaining'))).sort((a, b) => a - b),
    Array.from({ length: PER_SECOND }, (_, i) => i),
  )
  assertLimited(over, PER_SECOND)
  assert.equal(next.status, 202)
  assert.equal(next.headers.get('idempotent-replayed'), null)
  assert.equal(next.headers.get('ratelimit-remaining'), '79')
  assert.equal((await sendRequests()).length, PER_SECOND + 1)
  assert.equal((await log()).length, PER_SECOND + 1)
})

test("a channel's limit is shared by all its credentials and processes, and separate from other channels", {
  rules: ['limit.80-sends-a-second'],
}, async (t) => {
  const { hub, up, acme, channel, connect, send, path } = await startSending(t)
  const sibling = await connect(acme)
  const token = await hub.channelToken(acme.organizationId, channel.id, ['messages:send'])
  const person = await hub.person({ organizationId: acme.organizationId, role: 'developer' })
  const second = await startSecondHub(t, up)
  await acme.post(path, {})
  await holdWindows(hub, 'sends')
  await repeat(PER_SECOND - 1, () => acme.post(path, {}))

  const over = [
    await send(),
    await send({ as: token }),
    await send({ as: person }),
    await send({ as: second.anonymous.with(bearer(acme.key)) }),
  ]
  const free = await acme.post(`/api/v1/channels/${sibling.id}/messages`, text(), {
    headers: { 'idempotency-key': newKey() },
  })

  for (const answer of over) assertLimited(answer, PER_SECOND)
  assert.equal(free.status, 202)
  assert.equal(free.headers.get('ratelimit-remaining'), '79')
})

test('a channel id in capital letters is counted as the same channel', async (t) => {
  const { hub, acme, channel, path } = await startSending(t)
  await acme.post(path, {})
  await holdWindows(hub, 'sends')

  const upper = await acme.post(`/api/v1/channels/${channel.id.toUpperCase()}/messages`, {})

  assert.equal(upper.headers.get('ratelimit-remaining'), '78')
})

test('sends and the general limit of 600 requests a minute are counted separately', async (t) => {
  const { hub, acme, path, send } = await startSending(t)
  const before = await acme.get(path)
  await holdWindows(hub, 'general')
  const sent = [await send(), await send()]

  const after = await acme.get(path)

  assert.deepEqual(
    [before, after].map(({ headers }) => headers.get('ratelimit-limit')),
    ['600', '600'],
  )
  assert.equal(Number(after.headers.get('ratelimit-remaining')), Number(before.headers.get('ratelimit-remaining')) - 1)
  for (const { headers } of sent) assert.equal(headers.get('ratelimit-limit'), '80')
})

test('a replay counts as a send', async (t) => {
  const { hub, send } = await startSending(t)
  const [key, body] = [newKey(), text('Olá', newContact())]
  await send({ key, body })
  await holdWindows(hub, 'sends')

  const replay = await send({ key, body })

  assert.deepEqual(
    [replay.headers.get('idempotent-replayed'), replay.headers.get('ratelimit-remaining')],
    ['true', '78'],
  )
})

test('sends to foreign or missing channels are counted by credential', async (t) => {
  const { hub, path, send } = await startSending(t)
  const globex = await hub.organization()
  const newPath = () => `/api/v1/channels/${newId()}/messages`
  await globex.post(newPath(), {})
  await holdWindows(hub, 'sends')
  await repeat(PER_SECOND - 1, () => globex.post(newPath(), {}))

  const over = [
    await globex.post(newPath(), text()),
    await globex.post(path, text()),
    await globex.post('/api/v1/channels/no-uuid/messages', text()),
  ]
  const own = await send()

  for (const answer of over) assertLimited(answer, PER_SECOND)
  assert.equal(own.status, 202)
  assert.equal(own.headers.get('ratelimit-remaining'), '79')
})

test("another organization's requests do not use up a channel's limit", async (t) => {
  const { hub, path, send } = await startSending(t)
  const globex = await hub.organization()
  const person = await hub.person()
  for (const client of [globex, person]) await client.post(path, text(), { headers: { 'idempotency-key': newKey() } })

  const own = await send()

  assert.equal(own.headers.get('ratelimit-remaining'), '79')
})

test('a channel makes as many sends a second as the number has by its throughput, by every way together', {
  rules: ['limit.follows-the-numbers-throughput', 'limit.80-sends-a-second'],
}, async (t) => {
  const { hub, up, acme, connect, send } = await startSending(t, { env: { BILLING: 'off' } })
  await up.simulator.control('PUT', '/limits', { enforced: false })
  const high = await connect(acme, { throughput: 'HIGH' })
  const onApp = await connect(acme, { coexistence: true })
  const post = (channel: typeof high, { key = newKey() } = {}) =>
    acme.post(`/api/v1/channels/${channel.id}/messages`, text(), { headers: { 'idempotency-key': key } })
  const forward = (channel: typeof high, mount: string) =>
    hub.anonymous
      .with(bearer(channel.token))
      .post(`/${mount}/${channel.number.phoneNumberId}/messages`, { messaging_product: 'whatsapp', ...text() })
  const shown = ({ headers }: Answer) => [headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]

  const first = [await send(), await post(high), await post(onApp)]
  await holdWindows(hub, 'sends')
  const rest = [await forward(high, 'upstream'), await forward(high, 'graph'), await forward(onApp, 'graph')]
  const many = await repeat(18, () => post(onApp))
  const over = [await post(onApp), await forward(onApp, 'upstream')]

  assert.deepEqual(first.map(shown), [
    ['80', '79'],
    ['1000', '999'],
    ['20', '19'],
  ])
  assert.deepEqual(rest.map(shown), [
    ['1000', '998'],
    ['1000', '997'],
    ['20', '18'],
  ])
  assert.deepEqual([...new Set(many.map(({ status }) => status))], [202])
  for (const answer of over) assertLimited(answer, 20)
})

test('a number of high throughput makes more than 80 sends in a window, and no more than 1,000', {
  rules: ['limit.follows-the-numbers-throughput'],
}, async (t) => {
  const { hub, up, acme, connect } = await startSending(t)
  await up.simulator.control('PUT', '/limits', { enforced: false })
  const high = await connect(acme, { throughput: 'HIGH' })
  const path = `/api/v1/channels/${high.id}/messages`
  await acme.post(path, {})
  await holdWindows(hub, 'sends')

  const answers: Answer[] = []
  // A thousand connections at once are more than the machine queues.
  for (let i = 0; i < 10; i++) answers.push(...(await repeat(100, () => acme.post(path, {}))))

  const statuses = answers.map(({ status }) => status)
  assert.deepEqual(
    [statuses.filter((status) => status === 400).length, statuses.filter((s) => s === 429).length],
    [999, 1],
  )
})

test("other calls of the facade do not use up a channel's sends", {
  rules: ['limit.80-facade-requests-a-second'],
}, async (t) => {
  const { hub, acme, channel, send } = await startSending(t)
  const token = await hub.channelToken(acme.organizationId, channel.id, ['messages:send', 'channels:read'])
  const read = () => token.get(`/upstream/${channel.number.phoneNumberId}`)
  await send()
  const before = await read()
  await holdWindows(hub, 'sends')
  await holdWindows(hub, 'facade')

  const after = await read()
  const sent = await send()

  assert.deepEqual(
    [before, after, sent].map(({ headers }) => headers.get('ratelimit-remaining')),
    ['79', '78', '78'],
  )
})
