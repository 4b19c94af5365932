import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fixture, type SeededAccount, startFixture } from '../test/harness.ts'

const TEXT = { type: 'text', text: { body: 'oi' } }

async function sendToMany(fixture: Fixture, count: number, phoneId = fixture.phoneId): Promise<number[]> {
  const codes: number[] = []
  for (let person = 0; person < count; person++) {
    const to = String(5511900000000 + person)
    const { body } = await fixture.graph('POST', `/${phoneId}/messages`, { messaging_product: 'whatsapp', to, ...TEXT })
    codes.push(body.error?.code ?? 0)
  }
  return codes
}

test('a number sends 80 messages a second; the next is refused with 130429 and no Retry-After', async (t) => {
  const fixture = await startFixture(t)

  const codes = await sendToMany(fixture, 81)

  assert.deepEqual(codes, [...Array(80).fill(0), 130429])
  const refused = await fixture.send({ to: '5511900000099', ...TEXT })
  assert.equal(refused.status, 400)
  assert.equal(refused.body.error.message, '(#130429) Rate limit hit')
  assert.equal(refused.body.error.error_data?.details, 'Cloud API message throughput has been reached.')
  assert.equal(refused.headers.get('retry-after'), null)
  await fixture.advance(1_000)
  assert.equal((await fixture.send({ to: '5511900000099', ...TEXT })).status, 200)
})

test('a coexistence number sends 20 messages a second', async (t) => {
  const fixture = await startFixture(t)
  const { phone_number_id: phoneId } = await fixture.control<SeededAccount['numbers'][0]>(
    'POST',
    `/accounts/${fixture.wabaId}/numbers`,
    { coexistence: true },
  )

  const codes = await sendToMany(fixture, 21, phoneId)

  assert.deepEqual(codes, [...Array(20).fill(0), 130429])
})

test('inbound messages count against the throughput', async (t) => {
  const fixture = await startFixture(t)
  for (let message = 0; message < 80; message++) await fixture.receive({}, '5511977770000')

  const { body } = await fixture.send(TEXT)

  assert.equal(body.error.code, 130429)
})

test('45 messages to one person may be sent at once, and block the pair for six seconds each', async (t) => {
  const fixture = await startFixture(t)
  const codes: number[] = []
  for (let message = 0; message < 46; message++) codes.push((await fixture.send(TEXT)).body.error?.code ?? 0)

  assert.deepEqual(codes, [...Array(45).fill(0), 131056])
  await fixture.advance(45 * 6_000 - 1)
  assert.equal((await fixture.send(TEXT)).body.error.code, 131056)
  await fixture.advance(1)
  assert.equal((await fixture.send(TEXT)).status, 200)
})

test('a burst of 20 to one person blocks the pair for two minutes, and no other pair', async (t) => {
  const fixture = await startFixture(t)
  for (let message = 0; message < 20; message++) await fixture.send(TEXT)

  await fixture.advance(119_999)
  assert.equal((await fixture.send(TEXT)).body.error.code, 131056)
  assert.equal((await fixture.send({ to: '5511999990001', ...TEXT })).status, 200)
  await fixture.advance(1)
  assert.equal((await fixture.send(TEXT)).status, 200)
})

test('accepts one message per six seconds to one person', async (t) => {
  const fixture = await startFixture(t)

  for (let message = 0; message < 10; message++) {
    assert.equal((await fixture.send(TEXT)).status, 200)
    await fixture.advance(6_000)
  }
})

test('the control API turns the limits off', async (t) => {
  const fixture = await startFixture(t)
  await fixture.control('PUT', '/limits', { enforced: false })

  const codes = await sendToMany(fixture, 90)

  assert.ok(codes.every((code) => code === 0))
})
