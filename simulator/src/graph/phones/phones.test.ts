import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fixture, type SeededAccount, startFixture } from '../../test/harness.ts'

const DAY_MS = 86_400_000

async function addNumber(fixture: Fixture, number: Record<string, string | boolean>): Promise<string> {
  const added = await fixture.control<SeededAccount['numbers'][0]>(
    'POST',
    `/accounts/${fixture.wabaId}/numbers`,
    number,
  )
  return added.phone_number_id
}

function register(fixture: Fixture, phoneId: string, pin: unknown = '654321') {
  return fixture.graph('POST', `/v25.0/${phoneId}/register`, { messaging_product: 'whatsapp', pin })
}

test('a number node has its default fields, or the requested ones and its id', async (t) => {
  const fixture = await startFixture(t)

  const whole = await fixture.graph('GET', `/${fixture.phoneId}`)
  const part = await fixture.graph('GET', `/${fixture.phoneId}?fields=is_on_biz_app,platform_type,status,throughput`)

  assert.equal(whole.body.display_phone_number, '+55 11 98765-4321')
  assert.equal(whole.body.verified_name, 'Padaria São João')
  assert.equal(whole.body.quality_rating, 'GREEN')
  assert.deepEqual(part.body, {
    is_on_biz_app: false,
    platform_type: 'CLOUD_API',
    status: 'CONNECTED',
    throughput: { level: 'STANDARD' },
    id: fixture.phoneId,
  })
})

test('an unknown field and a malformed field list are refused', async (t) => {
  const fixture = await startFixture(t)
  const refuse = async (fields: string) =>
    (await fixture.graph('GET', `/${fixture.phoneId}?fields=${fields}`)).body.error

  const unknown = await refuse('id,color')
  assert.equal(
    unknown.message,
    '(#100) Tried accessing nonexisting field (color) on node type (WhatsAppBusinessPhoneNumber)',
  )
  for (const broken of ['id,', 'id{', 'a.b', 'a.b(', 'id}', ',id'])
    assert.equal((await refuse(broken)).code, 2500, broken)
})

test('the health status says whether messages can be sent', async (t) => {
  const fixture = await startFixture(t)
  const health = async () => {
    const { body } = await fixture.graph('GET', `/${fixture.phoneId}?fields=health_status`)
    return (body.health_status as unknown as { can_send_message: string }).can_send_message
  }

  assert.equal(await health(), 'AVAILABLE')
  await fixture.control('POST', `/accounts/${fixture.wabaId}/events`, { event: 'ban' })
  assert.equal(await health(), 'BLOCKED')
})

test('a registered number is connected and has the given PIN', async (t) => {
  const fixture = await startFixture(t)
  const phoneId = await addNumber(fixture, {})

  assert.deepEqual((await register(fixture, phoneId)).body, { success: true })

  const { body } = await fixture.graph('GET', `/${phoneId}?fields=status,is_pin_enabled,platform_type`)
  assert.deepEqual([body.status, body.is_pin_enabled, body.platform_type], ['CONNECTED', true, 'CLOUD_API'])
})

test('registration needs the product and a PIN of six digits as a string', async (t) => {
  const fixture = await startFixture(t)
  const phoneId = await addNumber(fixture, {})

  const noProduct = await fixture.graph('POST', `/${phoneId}/register`, { pin: '123456' })
  assert.match(noProduct.body.error.message, /messaging_product is required/)
  for (const pin of ['12345', '1234567', 'abcdef', 123456]) {
    assert.equal((await register(fixture, phoneId, pin)).body.error.code, 100, String(pin))
  }
  const noPin = await fixture.graph('POST', `/${phoneId}/register`, { messaging_product: 'whatsapp' })
  assert.match(noPin.body.error.message, /The parameter pin is required/)
})

test('a wrong PIN is 133005, and after five of them 133008', async (t) => {
  const fixture = await startFixture(t)
  const phoneId = await addNumber(fixture, { pin: '111111' })

  for (let guess = 0; guess < 5; guess++) {
    const { status, body } = await register(fixture, phoneId, '222222')
    assert.equal(status, 400)
    assert.equal(body.error.message, '(#133005) Two step verification PIN mismatch')
  }
  assert.equal((await register(fixture, phoneId, '222222')).body.error.code, 133008)
  assert.equal((await register(fixture, phoneId, '111111')).status, 200)
})

test('a number cannot be registered until it is verified', async (t) => {
  const fixture = await startFixture(t)
  const phoneId = await addNumber(fixture, { verified: false })

  assert.equal((await register(fixture, phoneId)).body.error.code, 133006)
  await fixture.control('PATCH', `/numbers/${phoneId}`, { code_verification_status: 'VERIFIED' })
  assert.equal((await register(fixture, phoneId)).status, 200)
})

test('a locked account cannot register its numbers', async (t) => {
  const fixture = await startFixture(t)
  const phoneId = await addNumber(fixture, {})
  await fixture.control('POST', `/accounts/${fixture.wabaId}/events`, { event: 'ban' })

  const { status, body } = await register(fixture, phoneId)

  assert.deepEqual([status, body.error.code], [403, 131031])
})

test('a number can be registered ten times in 72 hours', async (t) => {
  const fixture = await startFixture(t)
  const phoneId = await addNumber(fixture, {})

  for (let time = 0; time < 10; time++) assert.equal((await register(fixture, phoneId)).status, 200)
  assert.equal((await register(fixture, phoneId)).body.error.code, 133016)
  await fixture.advance(3 * DAY_MS)
  assert.equal((await register(fixture, phoneId)).status, 200)
})

test('deregistration disconnects a number once, and each refusal has its own message', async (t) => {
  const fixture = await startFixture(t)
  const fresh = await addNumber(fixture, {})
  const deregister = (phoneId: string) => fixture.graph('POST', `/v25.0/${phoneId}/deregister`)

  assert.deepEqual((await deregister(fixture.phoneId)).body, { success: true })
  const again = await deregister(fixture.phoneId)
  assert.equal(again.status, 400)
  assert.equal(again.body.error.error_subcode, 2207051)
  assert.equal(again.body.error.message, 'Phone number not registered on the WhatsApp Business Platform.')
  assert.equal(
    (await deregister(fresh)).body.error.message,
    'Phone number is not currently linked in Facebook Hosted System',
  )
})

test('a coexistence number can be neither registered nor deregistered', async (t) => {
  const fixture = await startFixture(t)
  const phoneId = await addNumber(fixture, { coexistence: true })

  const { status, body } = await fixture.graph('POST', `/${phoneId}/deregister`)

  assert.equal(status, 400)
  assert.equal(body.error.code, 100)
  assert.equal(body.error.message, 'Deregister endpoint is not available for API solution for SMB businesses.')
  assert.equal((await register(fixture, phoneId)).status, 400)
  const node = await fixture.graph('GET', `/${phoneId}?fields=is_on_biz_app,platform_type,status`)
  assert.deepEqual([node.body.is_on_biz_app, node.body.platform_type], [true, 'CLOUD_API'])
})

test('a profile has the requested fields, and changes outside its limits are refused', async (t) => {
  const fixture = await startFixture(t)
  const path = `/v25.0/${fixture.phoneId}/whatsapp_business_profile`
  const change = (profile: object) => fixture.graph('POST', path, { messaging_product: 'whatsapp', ...profile })

  assert.deepEqual((await change({ about: 'Pão quente', websites: ['https://a.b'], vertical: 'RESTAURANT' })).body, {
    success: true,
  })

  const { body } = await fixture.graph('GET', `${path}?fields=about,websites,vertical,email`)
  assert.deepEqual(body, {
    data: [{ about: 'Pão quente', websites: ['https://a.b'], vertical: 'RESTAURANT', messaging_product: 'whatsapp' }],
  })
  for (const wrong of [
    { about: 5 },
    { about: '' },
    { about: 'a'.repeat(140) },
    { address: 'a'.repeat(257) },
    { description: 'a'.repeat(513) },
    { email: 'no-address' },
    { websites: ['https://a.b', 'https://a.b', 'https://a.b'] },
    { websites: ['a.b'] },
    { vertical: 'SPACE' },
    { profile_picture_handle: 'nothing' },
    { messaging_product: 'x' },
  ]) {
    assert.equal((await change(wrong)).body.error.code, 100, JSON.stringify(wrong))
  }
  assert.equal((await fixture.graph('GET', `${path}?fields=color`)).body.error.code, 100)
})
