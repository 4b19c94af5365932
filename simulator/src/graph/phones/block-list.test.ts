import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fixture, listStatuses, startFixture } from '../../test/harness.ts'
import type { Graph } from '../context.ts'
import type { GraphCall } from '../http/call.ts'
import type { Phone } from '../model.ts'
import { createState } from '../state.ts'
import { blockUsers } from './block-list.ts'
import { getNumberSettings } from './number-settings.ts'

const DAY_MS = 86_400_000
const ANA = '5511999990000'
const BRUNO = '5511999990001'

function change(fixture: Fixture, method: string, users: unknown, body: object = { messaging_product: 'whatsapp' }) {
  return fixture.graph(method, `/v25.0/${fixture.phoneId}/block_users`, { ...body, block_users: users })
}

async function listBlocked(fixture: Fixture): Promise<unknown[]> {
  const { body } = await fixture.graph('GET', `/${fixture.phoneId}/block_users`)
  return (body.data as { wa_id: string }[]).map((person) => person.wa_id)
}

test('a person who wrote within a day can be blocked, listed and unblocked', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()

  const added = await change(fixture, 'POST', [{ user: `+${ANA}` }])
  const listed = await fixture.graph('GET', `/${fixture.phoneId}/block_users`)
  const removed = await change(fixture, 'DELETE', [{ user: ANA }])

  assert.deepEqual(
    [added.status, added.body],
    [200, { messaging_product: 'whatsapp', block_users: { added_users: [{ input: `+${ANA}`, wa_id: ANA }] } }],
  )
  assert.deepEqual(listed.body.data, [
    { messaging_product: 'whatsapp', wa_id: ANA, user_id: await fixture.readUserId() },
  ])
  assert.deepEqual(removed.body.block_users, { removed_users: [{ input: ANA, wa_id: ANA }] })
  assert.deepEqual(await listBlocked(fixture), [])
})

test('a person can be blocked by user id', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()
  const userId = await fixture.readUserId()

  const { body } = await change(fixture, 'POST', [{ user: userId }])

  assert.deepEqual(body.block_users, { added_users: [{ input: userId, user_id: userId }] })
  assert.deepEqual(await listBlocked(fixture), [ANA])
})

test('people who did not write within a day fail with 139100 beside the lists, and the others are blocked', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive({}, BRUNO)
  await fixture.advance(DAY_MS)
  await fixture.receive()

  const { status, body } = await change(fixture, 'POST', [{ user: ANA }, { user: BRUNO }, { user: 'nobody' }])

  assert.deepEqual([status, body.error.code], [400, 139100])
  const { added_users: added, failed_users: failed } = body.block_users as Record<string, unknown[]>
  assert.deepEqual(added, [{ input: ANA, wa_id: ANA }])
  assert.deepEqual(
    (failed as { input: string; errors: { code: number }[] }[]).map(({ input, errors }) => [input, errors[0]?.code]),
    [
      [BRUNO, 131047],
      ['nobody', 131047],
    ],
  )
  assert.deepEqual(await listBlocked(fixture), [ANA])
})

test('a number cannot block itself, and only blocked people can be unblocked', async (t) => {
  const fixture = await startFixture(t)
  const codes = async (method: string, user: string) => {
    const { body } = await change(fixture, method, [{ user }])
    const { failed_users: failed } = body.block_users as { failed_users: { errors: { code: number }[] }[] }
    return [body.error.code, failed[0]?.errors[0]?.code]
  }

  assert.deepEqual(await codes('POST', '5511987654321'), [139100, 131021])
  assert.deepEqual(await codes('DELETE', ANA), [139100, 100])
})

test('the block list ends at 64,000 people with 139101', () => {
  const state = createState(() => undefined)
  const graph = { state, clock: { now: () => 0 } } as unknown as Graph
  const phone = { id: '1', digits: '5511987654321' } as Phone
  const block = (user: string) => {
    state.relations.set(`1:${user}`, { windowUntil: 1 })
    const params = { messaging_product: 'whatsapp', block_users: [{ user }] }
    return blockUsers(graph, { node: phone, params } as unknown as GraphCall<'phone'>)
  }
  const { blocked } = getNumberSettings(graph, phone)
  for (let n = 1; n < 64_000; n++) blocked.add(String(n))

  block(ANA)

  assert.equal(blocked.size, 64_000)
  assert.throws(() => block(BRUNO), /\(#139101\) Blocklist limit reached/)
  block(ANA)
})

test('a block list without messaging_product, without people or with another method is refused', async (t) => {
  const fixture = await startFixture(t)
  const message = async (method: string, users: unknown, body?: object) =>
    (await change(fixture, method, users, body)).body.error.message

  assert.match(await message('POST', [{ user: ANA }], {}), /messaging_product is required/)
  assert.match(await message('DELETE', [{ user: ANA }], {}), /messaging_product is required/)
  assert.match(await message('POST', []), /must not be empty/)
  assert.match(await message('POST', undefined), /block_users is required/)
  assert.match(await message('POST', ['x']), /must be a JSON object/)
  assert.match(await message('PUT', [{ user: ANA }]), /Unsupported put request/)
})

test('a message to a blocked person fails with 130403', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()
  await change(fixture, 'POST', [{ user: ANA }])

  await fixture.send({ type: 'text', text: { body: 'Olá' } })
  await fixture.advance(DAY_MS / 2)

  assert.deepEqual(
    listStatuses(fixture.receiver).map(({ status, errors }) => [status, errors?.[0]?.code]),
    [['failed', 130403]],
  )
})
