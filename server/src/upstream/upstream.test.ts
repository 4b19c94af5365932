import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectFailure, expectValue } from './test/results.ts'
import { APP, json, openSandbox, openUpstream, PHONE_ID, recordingServer, TEXT, TOKEN } from './test/servers.ts'

const UTILITY = {
  name: 'pedido_pronto',
  language: 'pt_BR',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Seu pedido está pronto.' }],
}

test('a sign-up code is exchanged once for a token with the granted scopes', async (t) => {
  const { simulator, upstream, wabaId } = await openSandbox(t)
  const { code } = await simulator.control<{ code: string }>('POST', '/codes', { waba_id: wabaId })

  const { access_token } = expectValue(await upstream.oauth.exchangeCode(code))
  const again = expectFailure(await upstream.oauth.exchangeCode(code))
  const facts = expectValue(await upstream.oauth.debugToken(access_token))

  assert.equal(again.kind, 'refused')
  assert.equal(again.isCredentialRefused, false)
  assert.equal(facts.is_valid, true)
  assert.equal(facts.app_id, APP.appId)
  assert.equal(facts.expires_at, 0)
  assert.deepEqual(facts.granular_scopes[0]?.target_ids, [wabaId])
})

test('a revoked token is debugged as not valid, and other calls refuse it as a credential', async (t) => {
  const { simulator, upstream, token, phoneId } = await openSandbox(t)
  await simulator.control('POST', '/tokens/revoke', { access_token: token })

  const facts = expectValue(await upstream.oauth.debugToken(token))
  const failure = expectFailure(await upstream.phoneNumbers.get(token, phoneId))

  assert.equal(facts.is_valid, false)
  assert.equal(failure.kind, 'refused')
  assert.equal(failure.code, 190)
  assert.equal(failure.error_subcode, 460)
  assert.equal(failure.isCredentialRefused, true)
})

test("a wrong app secret is not reported as a refusal of the caller's token", async (t) => {
  const { upstream, token } = await openSandbox(t, { appSecret: 'another-app-secret' })

  const failure = expectFailure(await upstream.oauth.debugToken(token))

  assert.equal(failure.code, 190)
  assert.equal(failure.isCredentialRefused, false)
})

test('an account is read with its state, its numbers and its subscriptions', async (t) => {
  const { upstream, token, wabaId, phoneId, coexistingId } = await openSandbox(t)

  const account = expectValue(await upstream.accounts.get(token, wabaId))
  const numbers = expectValue(await upstream.accounts.listPhoneNumbers(token, wabaId))
  const before = expectValue(await upstream.accounts.listSubscriptions(token, wabaId))
  expectValue(await upstream.accounts.subscribe(token, wabaId))
  const after = expectValue(await upstream.accounts.listSubscriptions(token, wabaId))

  assert.deepEqual([account.id, account.name, account.account_review_status], [wabaId, 'Padaria', 'APPROVED'])
  assert.deepEqual(
    numbers.map(({ id }) => id),
    [coexistingId, phoneId],
  )
  assert.deepEqual(before, [])
  assert.deepEqual(
    after.map((subscription) => subscription.whatsapp_business_api_data.id),
    [APP.appId],
  )
})

test('a number is read with all fields that the hub shows', async (t) => {
  const { upstream, token, phoneId, coexistingId } = await openSandbox(t)

  const number = expectValue(await upstream.phoneNumbers.get(token, phoneId))
  const coexisting = expectValue(await upstream.phoneNumbers.get(token, coexistingId))

  assert.equal(number.id, phoneId)
  assert.match(number.display_phone_number ?? '', /^\+55 /)
  assert.deepEqual([number.verified_name, number.quality_rating, number.status], ['Padaria', 'GREEN', 'CONNECTED'])
  assert.deepEqual([number.is_on_biz_app, number.platform_type, number.name_status], [false, 'CLOUD_API', 'APPROVED'])
  assert.equal(number.throughput?.level, 'STANDARD')
  assert.equal(number.health_status?.can_send_message, 'AVAILABLE')
  assert.equal(coexisting.is_on_biz_app, true)
})

test('a number is deregistered, and is registered again only with its PIN', {
  rules: ['deletion.deregistered-number-needs-its-pin'],
}, async (t) => {
  const { upstream, token, phoneId } = await openSandbox(t)

  expectValue(await upstream.phoneNumbers.deregister(token, phoneId))
  const wrong = expectFailure(await upstream.phoneNumbers.register(token, phoneId, '654321'))
  expectValue(await upstream.phoneNumbers.register(token, phoneId, '123456'))

  assert.deepEqual([wrong.kind, wrong.code], ['refused', 133005])
})

test('a number on the business app syncs contacts and history once each, and cannot be deregistered', async (t) => {
  const { upstream, token, coexistingId } = await openSandbox(t)

  const contacts = expectValue(await upstream.phoneNumbers.sync(token, coexistingId, 'smb_app_state_sync'))
  expectValue(await upstream.phoneNumbers.sync(token, coexistingId, 'history'))
  const repeated = expectFailure(await upstream.phoneNumbers.sync(token, coexistingId, 'history'))
  const deregistered = expectFailure(await upstream.phoneNumbers.deregister(token, coexistingId))

  assert.ok(contacts.request_id)
  assert.deepEqual([repeated.kind, repeated.code], ['refused', 2593107])
  assert.deepEqual([deregistered.kind, deregistered.code], ['refused', 100])
})

test('templates are created, listed page by page, and deleted', async (t) => {
  const { upstream, token, wabaId } = await openSandbox(t)
  const created = expectValue(await upstream.templates.create(token, wabaId, UTILITY))
  expectValue(await upstream.templates.create(token, wabaId, { ...UTILITY, name: 'pedido_saiu' }))

  const first = expectValue(await upstream.templates.list(token, wabaId, { limit: 1 }))
  const second = expectValue(await upstream.templates.list(token, wabaId, { limit: 1, after: first.after ?? '' }))
  expectValue(await upstream.templates.delete(token, wabaId, { name: UTILITY.name, hsm_id: created.id }))
  const left = expectValue(await upstream.templates.list(token, wabaId))

  assert.deepEqual([...first.data, ...second.data].map(({ name }) => name).sort(), ['pedido_pronto', 'pedido_saiu'])
  assert.ok(first.after)
  assert.equal(second.after, null)
  assert.equal(created.category, 'UTILITY')
  assert.deepEqual(
    left.data.map(({ name }) => name),
    ['pedido_saiu'],
  )
})

test('a sent message has the wamid of the upstream', async (t) => {
  const { upstream, token, phoneId } = await openSandbox(t)

  const sent = expectValue(await upstream.messages.send(token, phoneId, TEXT))

  assert.match(sent.wamid, /^wamid\./)
  assert.match(sent.wa_id ?? '', /^55\d+$/)
  assert.equal(sent.message_status, null)
})

test("a refused message has the upstream's error fields", async (t) => {
  const { upstream, token, phoneId } = await openSandbox(t)

  const failure = expectFailure(await upstream.messages.send(token, phoneId, { ...TEXT, text: {} }))

  assert.deepEqual([failure.kind, failure.status, failure.code], ['refused', 400, 100])
  assert.ok(failure.title?.includes('text'))
  assert.ok(failure.fbtrace_id)
})

test('the app subscribes the callback URL, and the upstream verifies it with a challenge', {
  rules: ['admin.subscribe-app-registers-the-callback'],
}, async (t) => {
  const { upstream } = await openSandbox(t)
  const receiver = await recordingServer(t, ({ url }, response) => {
    response.end(new URL(url, 'http://x').searchParams.get('hub.challenge'))
  })

  const callback = { callbackUrl: `${receiver.url}/callback`, verifyToken: 'verify-me', fields: ['messages'] }
  expectValue(await upstream.app.subscribeCallback(callback))

  assert.match(receiver.requests[0]?.url ?? '', /hub\.verify_token=verify-me/)
})

test('pages of a list are read by cursor, never by the links in the response', async (t) => {
  const otherHost = await recordingServer(t, (_request, response) => json(response, {}))
  const server = await recordingServer(t, ({ url }, response) => {
    const after = new URL(url, 'http://x').searchParams.get('after')
    const page = {
      cursors: { after: 'c1' },
      ...(after === null ? { next: `${otherHost.url}/?access_token=${TOKEN}` } : {}),
    }
    json(response, { data: [{ id: after === null ? '1' : '2' }], paging: page })
  })

  const numbers = expectValue(await openUpstream(t, server.url).accounts.listPhoneNumbers(TOKEN, PHONE_ID))

  assert.deepEqual(
    numbers.map(({ id }) => id),
    ['1', '2'],
  )
  assert.equal(otherHost.requests.length, 0)
})

test('at most ten pages of a list are read', async (t) => {
  const server = await recordingServer(t, (_request, response) => {
    json(response, { data: [{ id: '1' }], paging: { cursors: { after: 'c' }, next: 'https://x' } })
  })

  const numbers = expectValue(await openUpstream(t, server.url).accounts.listPhoneNumbers(TOKEN, PHONE_ID))

  assert.equal(numbers.length, 10)
  assert.equal(server.requests.length, 10)
})

test('an id that is a number beyond 2^53 keeps its digits', async (t) => {
  const server = await recordingServer(t, (_request, response) => {
    response.end('{"data":[{"id":12345678901234567890,"name":"a"},{"id":42,"name":"b"}]}')
  })

  const { data } = expectValue(await openUpstream(t, server.url).templates.list(TOKEN, PHONE_ID))

  assert.deepEqual(
    data.map(({ id }) => id),
    ['12345678901234567890', '42'],
  )
})
