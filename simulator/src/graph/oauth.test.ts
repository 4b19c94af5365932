import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Bench, type Reply, startBench } from '../test/harness.ts'

async function codeFor(bench: Bench, extra: Record<string, string | number> = {}): Promise<string> {
  return (await bench.control<{ code: string }>('POST', '/codes', { waba_id: bench.wabaId, ...extra })).code
}

async function exchange(bench: Bench, code: string, extra: Record<string, string> = {}) {
  const query = new URLSearchParams({
    client_id: bench.simulator.appId,
    client_secret: bench.simulator.appSecret,
    code,
    ...extra,
  })
  const response = await fetch(`${bench.simulator.url}/v25.0/oauth/access_token?${query}`)
  return { status: response.status, body: (await response.json()) as Reply['body'] }
}

test('a code is exchanged for a token that works on its account', async (t) => {
  const bench = await startBench(t)
  const code = await codeFor(bench, { access_token: 'EAA-canary' })
  const before = await bench.graph('GET', `/${bench.wabaId}`, undefined, { authorization: 'Bearer EAA-canary' })

  const { status, body } = await exchange(bench, code)

  assert.equal(before.status, 401)
  assert.equal(status, 200)
  assert.deepEqual(body, { access_token: 'EAA-canary', token_type: 'bearer' })
  const after = await bench.graph('GET', `/${bench.wabaId}`, undefined, { authorization: 'Bearer EAA-canary' })
  assert.equal(after.status, 200)
})

test('a code works once, even when two ask at the same time', async (t) => {
  const bench = await startBench(t)
  const code = await codeFor(bench)

  const answers = await Promise.all([exchange(bench, code), exchange(bench, code)])

  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
  const refused = answers.find(({ status }) => status === 400)
  assert.equal(refused?.body.error.message, 'This authorization code has been used.')
  assert.equal(refused?.body.error.error_subcode, 36009)
})

test('a code lives thirty seconds', async (t) => {
  const bench = await startBench(t)
  const [early, late] = [await codeFor(bench), await codeFor(bench)]

  await bench.advance(29_999)
  assert.equal((await exchange(bench, early)).status, 200)
  await bench.advance(1)
  const { status, body } = await exchange(bench, late)
  assert.equal(status, 400)
  assert.equal(body.error.message, 'This authorization code has expired.')
})

test('a wrong app, secret, code or redirect_uri is refused, and a refusal does not use the code up', async (t) => {
  const bench = await startBench(t)
  const code = await codeFor(bench)
  const bound = await codeFor(bench, { redirect_uri: 'http://localhost:8080/done' })

  assert.equal((await exchange(bench, code, { client_id: '1' })).body.error.code, 101)
  const nameless = await fetch(`${bench.simulator.url}/oauth/access_token?code=${code}`)
  assert.match(((await nameless.json()) as Reply['body']).error.message, /client_id is required/)
  assert.equal((await exchange(bench, code, { client_secret: 'x' })).body.error.code, 1)
  assert.equal((await exchange(bench, 'nonsense')).body.error.error_subcode, 36007)
  assert.equal((await exchange(bench, code, { redirect_uri: 'http://localhost' })).body.error.error_subcode, 36008)
  assert.equal((await exchange(bench, bound)).body.error.error_subcode, 36008)
  assert.equal((await exchange(bench, bound, { redirect_uri: 'http://localhost:8080/done' })).status, 200)
  assert.equal((await exchange(bench, code)).status, 200)
})

test('debug_token tells what a token is worth, newest account first', async (t) => {
  const bench = await startBench(t)
  const second = await bench.control<{ waba_id: string }>('POST', '/accounts', {})
  const { access_token: token } = await bench.control<{ access_token: string }>('POST', '/tokens', {
    waba_ids: [bench.wabaId, second.waba_id],
  })

  const asApp = { authorization: `Bearer ${bench.appToken}` }
  const { body } = await bench.graph('GET', `/v25.0/debug_token?input_token=${token}`, undefined, asApp)

  const data = body.data as unknown as Record<string, unknown>
  assert.equal(data.app_id, bench.simulator.appId)
  assert.equal(data.type, 'SYSTEM_USER')
  assert.equal(data.is_valid, true)
  assert.equal(data.expires_at, 0)
  assert.deepEqual(data.scopes, ['whatsapp_business_management', 'whatsapp_business_messaging'])
  assert.deepEqual(data.granular_scopes, [
    { scope: 'whatsapp_business_management', target_ids: [second.waba_id, bench.wabaId] },
    { scope: 'whatsapp_business_messaging', target_ids: [second.waba_id, bench.wabaId] },
  ])
})

test('a dead or unknown token is reported as invalid with 200', async (t) => {
  const bench = await startBench(t)
  await bench.control('POST', '/tokens/revoke', { access_token: bench.token })
  const asApp = { authorization: `Bearer ${bench.appToken}` }

  for (const token of [bench.token, 'nonsense']) {
    const { status, body } = await bench.graph('GET', `/debug_token?input_token=${token}`, undefined, asApp)
    const data = body.data as unknown as { is_valid: boolean; error: { code: number }; scopes: string[] }
    assert.deepEqual([status, data.is_valid, data.error.code, data.scopes], [200, false, 190, []])
  }
  assert.equal((await bench.graph('GET', '/debug_token?input_token=x')).status, 401)
  assert.match(
    (await bench.graph('GET', '/debug_token', undefined, asApp)).body.error.message,
    /input_token is required/,
  )
})
