import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fixture, listValues, startFixture } from '../../test/harness.ts'

function act(fixture: Fixture, body: Record<string, unknown>) {
  return fixture.graph('POST', `/v25.0/${fixture.phoneId}/calls`, { messaging_product: 'whatsapp', ...body })
}

async function ring(fixture: Fixture): Promise<string> {
  const path = '/contacts/5511999990000/calls'
  return (await fixture.control<{ call_id: string }>('POST', path, { to: fixture.phoneId })).call_id
}

type Call = { id: string; event: string; status?: string; direction: string; session?: object }

function listCalls(fixture: Fixture): Call[] {
  return listValues(fixture.receiver, 'calls').flatMap((value) => (value.calls as Call[] | undefined) ?? [])
}

test('an inbound call arrives by webhook with its session and can be rejected', async (t) => {
  const fixture = await startFixture(t)

  const callId = await ring(fixture)
  const { status, body } = await act(fixture, { call_id: callId, action: 'reject' })
  await fixture.advance(0)

  assert.deepEqual([status, body], [200, { messaging_product: 'whatsapp', success: true }])
  const [connect, terminate] = listCalls(fixture)
  assert.deepEqual([connect?.id, connect?.event, connect?.direction], [callId, 'connect', 'USER_INITIATED'])
  assert.ok(connect?.session)
  const [value] = listValues(fixture.receiver, 'calls')
  const contacts = value?.contacts as { wa_id: string }[] | undefined
  assert.equal(contacts?.[0]?.wa_id, '5511999990000')
  assert.deepEqual([terminate?.event, terminate?.status], ['terminate', 'FAILED'])
})

test('unknown calls, ended calls and unknown actions are refused', async (t) => {
  const fixture = await startFixture(t)
  const callId = await ring(fixture)
  const refuse = async (body: object) => (await act(fixture, body as Record<string, unknown>)).body.error?.code

  assert.equal(await refuse({ call_id: 'wacid.unknown', action: 'reject' }), 100)
  assert.equal(await refuse({ call_id: callId, action: 'hold' }), 100)
  assert.equal(await refuse({ call_id: callId, action: 'accept' }), 100)
  assert.equal(await refuse({ messaging_product: 'x', call_id: callId, action: 'reject' }), 100)
  assert.equal(await refuse({ call_id: callId, action: 'reject' }), undefined)
  assert.equal(await refuse({ call_id: callId, action: 'terminate' }), 138003)
})

test('a call action on a number without calling is 138000', async (t) => {
  const fixture = await startFixture(t)
  await fixture.control('PATCH', `/numbers/${fixture.phoneId}`, { calling_enabled: false })

  const { status, body } = await act(fixture, { call_id: 'x', action: 'reject' })

  assert.deepEqual([status, body.error.code], [401, 138000])
})
