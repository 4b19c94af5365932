import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureOf, granted } from './test/results.ts'
import { APP, json, openSandbox, openUpstream, PHONE_ID, recordingServer, TEXT, TOKEN } from './test/servers.ts'

const UTILITY = {
  name: 'pedido_pronto',
  language: 'pt_BR',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Seu pedido está pronto.' }],
}

test('a sign-up code becomes a token once, and the token is worth what it was given for', async (t) => {
  const { simulator, upstream, wabaId } = await openSandbox(t)
  const { code } = await simulator.control<{ code: string }>('POST', '/codes', { waba_id: wabaId })

  const { access_token } = granted(await upstream.oauth.exchangeCode(code))
  const again = failureOf(await upstream.oauth.exchangeCode(code))
  const facts = granted(await upstream.oauth.debugToken(access_token))

  assert.equal(again.kind, 'refused')
  assert.equal(again.isCredentialRefused, false)
  assert.equal(facts.is_valid, true)
  assert.equal(facts.app_id, APP.appId)
  assert.equal(facts.expires_at, 0)
  assert.deepEqual(facts.granular_scopes[0]?.target_ids, [wabaId])
})

test('a dead token is debugged as not valid, and refused as a credential elsewhere', async (t) => {
  const { simulator, upstream, token, phoneId } = await openSandbox(t)
  await simulator.control('POST', '/tokens/revoke', { access_token: token })

  const facts = granted(await upstream.oauth.debugToken(token))
  const failure = failureOf(await upstream.phoneNumbers.get(token, phoneId))

  assert.equal(facts.is_valid, false)
  assert.equal(failure.kind, 'refused')
  assert.equal(failure.code, 190)
  assert.equal(failure.error_subcode, 460)
  assert.equal(failure.isCredentialRefused, true)
})

test("a wrong app secret never says that the caller's token is dead", async (t) => {
  const { upstream, token } = await openSandbox(t, { appSecret: 'another-app-secret' })

  const failure = failureOf(await upstream.oauth.debugToken(token))

  assert.equal(failure.code, 190)
  assert.equal(failure.isCredentialRefused, false)
})

test('an account answers with its state, its numbers and its subscriptions', async (t) => {
  const { upstream, token, wabaId, phoneId, coexistingId } = await openSandbox(t)

  const account = granted(await upstream.accounts.get(token, wabaId))
  const numbers = granted(await upstream.accounts.listPhoneNumbers(token, wabaId))
  const before = granted(await upstream.accounts.listSubscriptions(token, wabaId))
  granted(await upstream.accounts.subscribe(token, wabaId))
  const after = granted(await upstream.accounts.listSubscriptions(token, wabaId))

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

test('a number answers with all that the hub shows of it', async (t) => {
  const { upstream, token, phoneId, coexistingId } = await openSandbox(t)

  const number = granted(await upstream.phoneNumbers.get(token, phoneId))
  const coexisting = granted(await upstream.phoneNumbers.get(token, coexistingId))

  assert.equal(number.id, phoneId)
  assert.match(number.display_phone_number ?? '', /^\+55 /)
  assert.deepEqual([number.verified_name, number.quality_rating, number.status], ['Padaria', 'GREEN', 'CONNECTED'])
  assert.deepEqual([number.is_on_biz_app, number.platform_type, number.name_status], [false, 'CLOUD_API', 'APPROVED'])
  assert.equal(number.throughput?.level, 'STANDARD')
  assert.equal(number.health_status?.can_send_message, 'AVAILABLE')
  assert.equal(coexisting.is_on_biz_app, true)
})

test('a number is deregistered, and registered again with its PIN only', { rules: ['DELC-10'] }, async (t) => {
  const { upstream, token, phoneId } = await openSandbox(t)

  granted(await upstream.phoneNumbers.deregister(token, phoneId))
  const wrong = failureOf(await upstream.phoneNumbers.register(token, phoneId, '654321'))
  granted(await upstream.phoneNumbers.register(token, phoneId, '123456'))

  assert.deepEqual([wrong.kind, wrong.code], ['refused', 133005])
})

test('a number on the business app syncs once each, and is never deregistered', async (t) => {
  const { upstream, token, coexistingId } = await openSandbox(t)

  const contacts = granted(await upstream.phoneNumbers.sync(token, coexistingId, 'smb_app_state_sync'))
  granted(await upstream.phoneNumbers.sync(token, coexistingId, 'history'))
  const repeated = failureOf(await upstream.phoneNumbers.sync(token, coexistingId, 'history'))
  const deregistered = failureOf(await upstream.phoneNumbers.deregister(token, coexistingId))

  assert.ok(contacts.request_id)
  assert.deepEqual([repeated.kind, repeated.code], ['refused', 2593107])
  assert.deepEqual([deregistered.kind, deregistered.code], ['refused', 100])
})

test('templates are created, listed page by page, and deleted', async (t) => {
  const { upstream, token, wabaId } = await openSandbox(t)
  const created = granted(await upstream.templates.create(token, wabaId, UTILITY))
  granted(await upstream.templates.create(token, wabaId, { ...UTILITY, name: 'pedido_saiu' }))

  const first = granted(await upstream.templates.list(token, wabaId, { limit: 1 }))
  const second = granted(await upstream.templates.list(token, wabaId, { limit: 1, after: first.after ?? '' }))
  granted(await upstream.templates.delete(token, wabaId, { name: UTILITY.name, hsm_id: created.id }))
  const left = granted(await upstream.templates.list(token, wabaId))

  assert.deepEqual([...first.data, ...second.data].map(({ name }) => name).sort(), ['pedido_pronto', 'pedido_saiu'])
  assert.ok(first.after)
  assert.equal(second.after, null)
  assert.equal(created.category, 'UTILITY')
  assert.deepEqual(
    left.data.map(({ name }) => name),
    ['pedido_saiu'],
  )
})

test('a message is handed over for a wamid', async (t) => {
  const { upstream, token, phoneId } = await openSandbox(t)

  const sent = granted(await upstream.messages.send(token, phoneId, TEXT))

  assert.match(sent.wamid, /^wamid\./)
  assert.match(sent.wa_id ?? '', /^55\d+$/)
  assert.equal(sent.message_status, null)
})

test('a refused message keeps what the upstream says about it', async (t) => {
  const { upstream, token, phoneId } = await openSandbox(t)

  const failure = failureOf(await upstream.messages.send(token, phoneId, { ...TEXT, text: {} }))

  assert.deepEqual([failure.kind, failure.status, failure.code], ['refused', 400, 100])
  assert.ok(failure.title?.includes('text'))
  assert.ok(failure.fbtrace_id)
})

test('the callback is subscribed by the app itself, after the upstream has challenged it', {
  rules: ['D2-60'],
}, async (t) => {
  const { upstream } = await openSandbox(t)
  const receiver = await recordingServer(t, ({ url }, response) => {
    response.end(new URL(url, 'http://x').searchParams.get('hub.challenge'))
  })

  const callback = { callbackUrl: `${receiver.url}/callback`, verifyToken: 'verify-me', fields: ['messages'] }
  granted(await upstream.app.subscribeCallback(callback))

  assert.match(receiver.requests[0]?.url ?? '', /hub\.verify_token=verify-me/)
})

test('a list is followed by its cursors, never by the addresses it prints', async (t) => {
  const stranger = await recordingServer(t, (_request, response) => json(response, {}))
  const server = await recordingServer(t, ({ url }, response) => {
    const after = new URL(url, 'http://x').searchParams.get('after')
    const page = {
      cursors: { after: 'c1' },
      ...(after === null ? { next: `${stranger.url}/?access_token=${TOKEN}` } : {}),
    }
    json(response, { data: [{ id: after === null ? '1' : '2' }], paging: page })
  })

  const numbers = granted(await openUpstream(t, server.url).accounts.listPhoneNumbers(TOKEN, PHONE_ID))

  assert.deepEqual(
    numbers.map(({ id }) => id),
    ['1', '2'],
  )
  assert.equal(stranger.requests.length, 0)
})

test('a list that never ends is left after ten pages', async (t) => {
  const server = await recordingServer(t, (_request, response) => {
    json(response, { data: [{ id: '1' }], paging: { cursors: { after: 'c' }, next: 'https://x' } })
  })

  const numbers = granted(await openUpstream(t, server.url).accounts.listPhoneNumbers(TOKEN, PHONE_ID))

  assert.equal(numbers.length, 10)
  assert.equal(server.requests.length, 10)
})

test('an id beyond 2^53 that comes as a number leaves as its digits', async (t) => {
  const server = await recordingServer(t, (_request, response) => {
    response.end('{"data":[{"id":12345678901234567890,"name":"a"},{"id":42,"name":"b"}]}')
  })

  const { data } = granted(await openUpstream(t, server.url).templates.list(TOKEN, PHONE_ID))

  assert.deepEqual(
    data.map(({ id }) => id),
    ['12345678901234567890', '42'],
  )
})
