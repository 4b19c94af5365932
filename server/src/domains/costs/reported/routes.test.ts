import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCosts } from '../test/fixture.ts'

test('the figures of the account are shown by category, as the upstream reports them', {
  rules: ['cost.reported-costs-are-the-upstreams'],
}, async (t) => {
  const { acme, channel, send, up } = await startCosts(t)
  // An answer to a contact who has written costs nothing and needs no template.
  const written = { to: channel.number.phoneNumberId, type: 'text', text: { body: 'Oi' } }
  await up.simulator.control('POST', '/contacts/5511987654321/messages', written)
  for (let sent = 0; sent < 3; sent++) await send()
  await up.simulator.control('POST', '/clock', { advance_seconds: 60 })
  const { since, until } = await readDays(up)

  const answer = await acme.get(`/api/v1/channels/${channel.id}/reported-costs?since=${since}&until=${until}`)

  assert.equal(answer.status, 200, answer.text)
  const { categories, total, is_available, reason, currency } = answer.body.data.reported_costs
  assert.deepEqual([is_available, reason, typeof currency], [true, null, 'string'])
  assert.equal(total.messages, 3)
  assert.deepEqual(
    categories.map(({ category, messages }: { category: string; messages: number }) => [category, messages]),
    [['service', 3]],
  )
  assert.match(total.cost, /^\d+\.\d+$/)
})

test('a refusal of the upstream makes the figures unavailable, with its reason', {
  rules: ['cost.reported-costs-are-the-upstreams'],
}, async (t) => {
  const { acme, channel, fault } = await startCosts(t)
  await fault('error', channel.number.wabaId, { code: 200, status: 403 })

  const answer = await acme.get(`/api/v1/channels/${channel.id}/reported-costs`)

  assert.equal(answer.status, 200, answer.text)
  const { is_available, reason, categories, total } = answer.body.data.reported_costs
  assert.deepEqual([is_available, reason.code, categories, total], [false, 200, [], { messages: 0, cost: null }])
})

test('an upstream that is down, a channel without a number and a channel of others are errors', {
  rules: ['cost.reported-costs-are-the-upstreams'],
}, async (t) => {
  const { acme, channel, fault, hub } = await startCosts(t)
  const { body } = await acme.post('/api/v1/channels', { name: 'new' })
  const other = await hub.organization()

  const pending = await acme.get(`/api/v1/channels/${body.data.channel.id}/reported-costs`)
  const foreign = await other.get(`/api/v1/channels/${channel.id}/reported-costs`)
  const wrong = await acme.get(`/api/v1/channels/${channel.id}/reported-costs?since=x`)
  await fault('error', channel.number.wabaId, { code: 2, status: 500, times: null })
  const down = await acme.get(`/api/v1/channels/${channel.id}/reported-costs`)

  assert.deepEqual(
    [pending, foreign, wrong, down].map(({ status, body }) => [status, body.error.code]),
    [
      [400, 'CHANNEL_NOT_CONNECTED'],
      [404, 'NOT_FOUND'],
      [400, 'INVALID_REQUEST'],
      [502, 'UPSTREAM_UNAVAILABLE'],
    ],
  )
})

/** Days around the simulator's clock, which is not that of the hub. */
async function readDays({ simulator }: Awaited<ReturnType<typeof startCosts>>['up']) {
  const { now } = await simulator.control<{ now: string }>('POST', '/clock', { advance_ms: 0 })
  const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const time = new Date(now).getTime()
  return { since: toDay(time - 86_400_000), until: toDay(time + 2 * 86_400_000) }
}
