import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Bench, startBench, valuesOf, wamidOf } from '../test/harness.ts'

const OFFER = { sdp_type: 'offer', sdp: 'v=0' }
const ANSWER = { sdp_type: 'answer', sdp: 'v=0' }

function act(bench: Bench, body: Record<string, unknown>) {
  return bench.graph('POST', `/v25.0/${bench.phoneId}/calls`, { messaging_product: 'whatsapp', ...body })
}

async function ring(bench: Bench): Promise<string> {
  const path = '/contacts/5511999990000/calls'
  return (await bench.control<{ call_id: string }>('POST', path, { to: bench.phoneId })).call_id
}

type Call = { id: string; event: string; status?: string; duration?: number; direction: string; session?: object }

function callsIn(bench: Bench): Call[] {
  return valuesOf(bench.receiver, 'calls').flatMap((value) => (value.calls as Call[] | undefined) ?? [])
}

test('a call arrives by webhook with its session, and can be rejected', async (t) => {
  const bench = await startBench(t)

  const callId = await ring(bench)
  const { status, body } = await act(bench, { call_id: callId, action: 'reject' })
  await bench.advance(0)

  assert.deepEqual([status, body], [200, { messaging_product: 'whatsapp', success: true }])
  const [connect, terminate] = callsIn(bench)
  assert.deepEqual([connect?.id, connect?.event, connect?.direction], [callId, 'connect', 'USER_INITIATED'])
  assert.ok(connect?.session)
  assert.deepEqual([terminate?.event, terminate?.status], ['terminate', 'FAILED'])
})

test('an accepted call that is terminated was completed and has a duration', async (t) => {
  const bench = await startBench(t)
  const callId = await ring(bench)

  assert.equal((await act(bench, { call_id: callId, action: 'pre_accept', session: ANSWER })).status, 200)
  assert.equal((await act(bench, { call_id: callId, action: 'accept', session: ANSWER })).status, 200)
  await bench.advance(5_000)
  assert.equal((await act(bench, { call_id: callId, action: 'terminate' })).status, 200)
  await bench.advance(0)

  const terminate = callsIn(bench).at(-1)
  assert.deepEqual([terminate?.status, terminate?.duration], ['COMPLETED', 5])
})

test('unknown calls, ended calls, unknown actions and missing sessions are refused', async (t) => {
  const bench = await startBench(t)
  const callId = await ring(bench)
  const refuse = async (body: object) => (await act(bench, body as Record<string, unknown>)).body.error?.code

  assert.equal(await refuse({ call_id: 'wacid.unknown', action: 'reject' }), 100)
  assert.equal(await refuse({ call_id: callId, action: 'hold' }), 100)
  assert.equal(await refuse({ call_id: callId, action: 'accept' }), 100)
  assert.equal(await refuse({ messaging_product: 'x', call_id: callId, action: 'reject' }), 100)
  assert.equal(await refuse({ call_id: callId, action: 'reject' }), undefined)
  assert.equal(await refuse({ call_id: callId, action: 'terminate' }), 138003)
})

test('a number without calling is refused with 138000', async (t) => {
  const bench = await startBench(t)
  await bench.control('PATCH', `/numbers/${bench.phoneId}`, { calling_enabled: false })

  const { status, body } = await act(bench, { call_id: 'x', action: 'reject' })

  assert.deepEqual([status, body.error.code], [401, 138000])
})

test('a business may ring a person only after they allowed it', async (t) => {
  const bench = await startBench(t)
  await bench.receive()
  const connect = { to: '5511999990000', action: 'connect', session: OFFER }
  assert.equal((await act(bench, connect)).body.error.code, 138006)
  assert.equal((await act(bench, { ...connect, to: 'nobody' })).body.error.code, 131009)
  assert.equal((await act(bench, { ...connect, session: ANSWER })).body.error.code, 100)

  const request = { type: 'call_permission_request', action: { name: 'call_permission_request' } }
  const messageId = wamidOf(await bench.send({ type: 'interactive', interactive: request }))
  await bench.control('POST', '/contacts/5511999990000/replies', { message_id: messageId, choice: 'accept' })
  const { status, body } = await act(bench, connect)
  await bench.advance(1_000)

  assert.equal(status, 200, JSON.stringify(body))
  const [{ statuses }] = valuesOf(bench.receiver, 'calls') as [{ statuses: [{ status: string; type: string }] }]
  assert.deepEqual([statuses[0].type, statuses[0].status], ['call', 'RINGING'])
})
