import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Check } from '../channels/schemas.ts'
import { eventually, WITHOUT_TIMERS } from '../webhooks/test/fixture.ts'
import { buildCallback, buildEntry, type Channel, type InboundFixture, startInbound } from './test/fixture.ts'

const WRONG = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }
const APPROVED = { decision: 'APPROVED' }

/** The check of the signature, after the counts in memory were stored. */
async function checkSignature({ hub }: InboundFixture, { owner, id }: Channel): Promise<Check | undefined> {
  await hub.jobs.find(({ name }) => name === 'flush-refused-callbacks')?.run()
  const { body } = await owner.get(`/api/v1/channels/${id}/diagnostics`)
  return body.data.diagnostics.checks.find((check: Check) => check.id === 'webhook_signature')
}

/** Posts a callback that names the channel's account, with a wrong signature. */
async function refuse({ post }: InboundFixture, channel: Channel): Promise<void> {
  const answer = await post(buildCallback(buildEntry(channel, 'account_review_update', APPROVED)), WRONG)
  assert.equal(answer.status, 401, answer.text)
}

test('diagnostics find a wrong app secret by refused callbacks, and verified ones end the finding', {
  rules: [
    'diagnostics.have-five-checks',
    'diagnostics.refused-callbacks-count-by-account',
    'diagnostics.signature-fails-without-success',
  ],
}, async (t) => {
  const fixture = await startInbound(t)
  const { hub, channel } = fixture
  const check = async () => (await checkSignature(fixture, channel))?.status

  const untouched = await check()
  await refuse(fixture, channel)
  const failing = await checkSignature(fixture, channel)
  await hub.clock.advance('1 second')
  await fixture.deliver(buildEntry(channel, 'account_review_update', APPROVED))
  const verified = await check()
  await hub.clock.advance('1 second')
  await refuse(fixture, channel)
  const refusedAgain = await check()
  await hub.clock.advance('1 day')
  const dayLater = await check()

  assert.equal(untouched, 'skipped')
  assert.equal(failing?.status, 'failing')
  assert.match(failing?.remedy ?? '', /UPSTREAM_APP_SECRET/)
  assert.deepEqual([verified, refusedAgain, dayLater], ['ok', 'warning', 'failing'])
})

test('refused callbacks are counted in memory, and stored as one row of an account that has a channel', {
  rules: ['diagnostics.refused-callbacks-count-by-account', 'callback.wrong-signature-is-401'],
}, async (t) => {
  const fixture = await startInbound(t)
  const { hub, channel, sql } = fixture
  const count = () => sql`select waba_id, refused::int from refused_callbacks where waba_id = ${channel.number.wabaId}`
  const unknown = { id: '99000000000001', changes: [] }

  await refuse(fixture, channel)
  await fixture.post(buildCallback(buildEntry(channel, 'security', {}), unknown), { 'x-hub-signature-256': '' })
  const before = await count()
  const check = await checkSignature(fixture, channel)
  await refuse(fixture, channel)
  await checkSignature(fixture, channel)
  const after = await count()
  const unknownRows = await sql`select 1 from refused_callbacks where waba_id = ${unknown.id}`
  await hub.clock.advance('8 days')
  const weekLater = await checkSignature(fixture, channel)

  assert.equal(before.length, 0)
  assert.match(check?.message ?? '', /: 2, the last at /)
  assert.deepEqual([...after], [{ waba_id: channel.number.wabaId, refused: 3 }])
  assert.equal(unknownRows.length, 0)
  assert.equal(weekLater?.status, 'skipped')
})

test('a process with the role api stores its counts too', {
  rules: ['diagnostics.refused-callbacks-count-by-account'],
}, async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const fixture = await startInbound(t, { env: WITHOUT_TIMERS, isOwn: true })
  const { channel, sql } = fixture
  await refuse(fixture, channel)

  t.mock.timers.tick(60_000)

  await eventually(async () => {
    const rows = await sql`select 1 from refused_callbacks where waba_id = ${channel.number.wabaId}`
    return rows.length === 1
  })
})

test('refused callbacks count for the account that they name only, and for none if they cannot be read', {
  rules: ['diagnostics.refused-callbacks-count-by-account'],
}, async (t) => {
  const fixture = await startInbound(t)
  const { channel } = fixture
  const other = await fixture.connectAnother()
  const { wabaId } = channel.number
  const large = { ...buildEntry(channel, 'security', { filler: 'x'.repeat(16 * 1024) }) }

  await refuse(fixture, other)
  for (const body of [
    '{',
    '[]',
    '{"entry":7}',
    `{"entry":["${wabaId}"]}`,
    `{"id":"${wabaId}"}`,
    buildCallback(large),
  ]) {
    assert.equal((await fixture.post(body, WRONG)).status, 401)
  }

  assert.equal((await checkSignature(fixture, channel))?.status, 'skipped')
  assert.equal((await checkSignature(fixture, other))?.status, 'failing')
})

test('a flood of callbacks that name invented accounts does not hide those of a real one', {
  rules: ['diagnostics.refused-callbacks-count-by-account'],
}, async (t) => {
  const fixture = await startInbound(t)
  const invent = async (first: number) => {
    const entries = Array.from({ length: 100 }, (_, i) => ({
      id: `98${String(first + i).padStart(12, '0')}`,
      changes: [],
    }))
    await fixture.post(buildCallback(...entries), WRONG)
  }

  for (let first = 0; first < 10_500; first += 100) await invent(first)
  await refuse(fixture, fixture.channel)
  for (let first = 20_000; first < 25_000; first += 100) await invent(first)

  assert.equal((await checkSignature(fixture, fixture.channel))?.status, 'failing')
})

test('a refused callback counts in the metrics of the installation, also if it is too long to be read', {
  rules: ['callback.refused-ones-are-counted'],
}, async (t) => {
  const fixture = await startInbound(t)
  const count = async () => {
    const { text } = await fixture.hub.anonymous.get('/metrics')
    return Number(/^hubline_refused_callbacks_total (\d+)$/m.exec(text)?.[1])
  }
  const before = await count()

  await refuse(fixture, fixture.channel)
  await fixture.post(`{"filler":"${'x'.repeat(20_000)}"}`, WRONG)

  assert.equal(await count(), before + 2)
})
