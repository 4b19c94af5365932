import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fixture, type Reply, startFixture } from '../../test/harness.ts'

async function codeFor(fixture: Fixture, extra: Record<string, string | number> = {}): Promise<string> {
  return (await fixture.control<{ code: string }>('POST', '/codes', { waba_id: fixture.wabaId, ...extra })).code
}

async function exchange(fixture: Fixture, code: string, extra: Record<string, string> = {}) {
  const query = new URLSearchParams({
    client_id: fixture.simulator.appId,
    client_secret: fixture.simulator.appSecret,
    code,
    ...extra,
  })
  const response = await fetch(`${fixture.simulator.url}/v25.0/oauth/access_token?${query}`)
  return { status: response.status, body: (await response.json()) as Reply['body'] }
}

test('a code is exchanged for a token that works on its account', async (t) => {
  const fixture = await startFixture(t)
  const code = await codeFor(fixture, { access_token: 'EAA-canary' })
  const before = await fixture.graph('GET', `/${fixture.wabaId}`, undefined, { authorization: 'Bearer EAA-canary' })

  const { status, body } = await exchange(fixture, code)

  assert.equal(before.status, 401)
  assert.equal(status, 200)
  assert.deepEqual(body, { access_token: 'EAA-canary', token_type: 'bearer' })
  const after = await fixture.graph('GET', `/${fixture.wabaId}`, undefined, { authorization: 'Bearer EAA-canary' })
  assert.equal(after.status, 200)
})

test('a code can be exchanged once, also by concurrent requests', async (t) => {
  const fixture = await startFixture(t)
  const code = await codeFor(fixture)

  const answers = await Promise.all([exchange(fixture, code), exchange(fixture, code)])

  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
  const refused = answers.find(({ status }) => status === 400)
  assert.equal(refused?.body.error.message, 'This authorization code has been used.')
  assert.equal(refused?.body.error.error_subcode, 36009)
})

test('a code expires after thirty seconds', async (t) => {
  const fixture = await startFixture(t)
  const [early, late] = [await codeFor(fixture), await codeFor(fixture)]

  await fixture.advance(29_999)
  assert.equal((await exchange(fixture, early)).status, 200)
  await fixture.advance(1)
  const { status, body } = await exchange(fixture, late)
  assert.equal(status, 400)
  assert.equal(body.error.message, 'This authorization code has expired.')
})

test('a wrong app, secret, code or redirect_uri is refused, and the code stays valid', async (t) => {
  const fixture = await startFixture(t)
  const code = await codeFor(fixture)
  const bound = await codeFor(fixture, { redirect_uri: 'http://localhost:8080/done' })

  assert.equal((await exchange(fixture, code, { client_id: '1' })).body.error.code, 101)
  const nameless = await fetch(`${fixture.simulator.url}/oauth/access_token?code=${code}`)
  assert.match(((await nameless.json()) as Reply['body']).error.message, /client_id is required/)
  assert.equal((await exchange(fixture, code, { client_secret: 'x' })).body.error.code, 1)
  assert.equal((await exchange(fixture, 'nonsense')).body.error.error_subcode, 36007)
  assert.equal((await exchange(fixture, code, { redirect_uri: 'http://localhost' })).body.error.error_subcode, 36008)
  assert.equal((await exchange(fixture, bound)).body.error.error_subcode, 36008)
  assert.equal((await exchange(fixture, bound, { redirect_uri: 'http://localhost:8080/done' })).status, 200)
  assert.equal((await exchange(fixture, code)).status, 200)
})

test('debug_token lists the accounts of a token, newest first', async (t) => {
  const fixture = await startFixture(t)
  const second = await fixture.control<{ waba_id: string }>('POST', '/accounts', {})
  const { access_token: token } = await fixture.control<{ access_token: string }>('POST', '/tokens', {
    waba_ids: [fixture.wabaId, second.waba_id],
  })

  const asApp = { authorization: `Bearer ${fixture.appToken}` }
  const { body } = await fixture.graph('GET', `/v25.0/debug_token?input_token=${token}`, undefined, asApp)

  const data = body.data as unknown as Record<string, unknown>
  assert.equal(data.app_id, fixture.simulator.appId)
  assert.equal(data.type, 'SYSTEM_USER')
  assert.equal(data.is_valid, true)
  assert.equal(data.expires_at, 0)
  assert.deepEqual(data.scopes, ['whatsapp_business_management', 'whatsapp_business_messaging'])
  assert.deepEqual(data.granular_scopes, [
    { scope: 'whatsapp_business_management', target_ids: [second.waba_id, fixture.wabaId] },
    { scope: 'whatsapp_business_messaging', target_ids: [second.waba_id, fixture.wabaId] },
  ])
})

test('debug_token reports an invalid or unknown token with 200', async (t) => {
  const fixture = await startFixture(t)
  await fixture.control('POST', '/tokens/revoke', { access_token: fixture.token })
  const asApp = { authorization: `Bearer ${fixture.appToken}` }

  for (const token of [fixture.token, 'nonsense']) {
    const { status, body } = await fixture.graph('GET', `/debug_token?input_token=${token}`, undefined, asApp)
    const data = body.data as unknown as { is_valid: boolean; error: { code: number }; scopes: string[] }
    assert.deepEqual([status, data.is_valid, data.error.code, data.scopes], [200, false, 190, []])
  }
  assert.equal((await fixture.graph('GET', '/debug_token?input_token=x')).status, 401)
  assert.match(
    (await fixture.graph('GET', '/debug_token', undefined, asApp)).body.error.message,
    /input_token is required/,
  )
})
