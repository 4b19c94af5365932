import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Bench, startBench, valuesOf } from '../test/harness.ts'

function act(bench: Bench, body: Record<string, unknown>) {
  return bench.graph('POST', `/v25.0/${bench.phoneId}/calls`, { messaging_product: 'whatsapp', ...body })
}

async function ring(bench: Bench): Promise<string> {
  const path = '/contacts/5511999990000/calls'
  return (await bench.control<{ call_id: string }>('POST', path, { to: bench.phoneId })).call_id
}

type Call = { id: string; event: string; status?: string; direction: string; session?: object }

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

test('unknown calls, ended calls and unknown actions are refused', async (t) => {
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
