import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { type Fixture, type SeededAccount, startFixture, VERIFY_TOKEN } from '../../test/harness.ts'
import { startReceiver } from '../../test/receiver.ts'

function call(fixture: Fixture, method: string, edge: string, body?: object) {
  return fixture.graph(method, `/v25.0/${fixture.phoneId}/${edge}`, body)
}

async function refuse(fixture: Fixture, edge: string, body: object): Promise<string> {
  const reply = await call(fixture, 'POST', edge, body)
  assert.deepEqual([reply.status, reply.body.error?.code], [400, 100], JSON.stringify(reply.body))
  return reply.body.error.message
}

async function readField(fixture: Fixture, field: string): Promise<unknown> {
  return (await fixture.graph('GET', `/${fixture.phoneId}?fields=${field}`)).body[field]
}

test('automation is set on its edge and read as a field of the number', async (t) => {
  const fixture = await startFixture(t)
  const commands = [{ command_name: 'ajuda', command_description: 'Fala com uma pessoa' }]

  await call(fixture, 'POST', 'conversational_automation', { enable_welcome_message: true, prompts: ['Preços'] })
  const { body } = await call(fixture, 'POST', 'conversational_automation', { commands })

  assert.deepEqual(body, { success: true })
  assert.deepEqual(await readField(fixture, 'conversational_automation'), {
    enable_welcome_message: true,
    prompts: ['Preços'],
    commands,
    id: fixture.phoneId,
  })
  assert.equal((await call(fixture, 'GET', 'conversational_automation')).status, 400)
})

test('automation beyond its limits is refused', async (t) => {
  const fixture = await startFixture(t)
  const message = (body: object) => refuse(fixture, 'conversational_automation', body)
  const command = { command_name: 'a', command_description: 'b' }

  assert.match(await message({ prompts: ['a', 'b', 'c', 'd', 'e'] }), /at most 4/)
  assert.match(await message({ prompts: ['a'.repeat(81)] }), /1 to 80/)
  assert.match(await message({ commands: Array(31).fill(command) }), /at most 30/)
  assert.match(await message({ commands: [{ ...command, command_name: 'a'.repeat(33) }] }), /at most 32/)
  assert.match(await message({ commands: [{ ...command, command_description: 'a'.repeat(257) }] }), /at most 256/)
  assert.match(await message({ commands: [{ command_name: 'a' }] }), /command_description'\] is required/)
  assert.match(await message({ enable_welcome_message: 'maybe' }), /must be a boolean/)
})

test('commerce settings are set by the query and read', async (t) => {
  const fixture = await startFixture(t)

  const { body } = await call(
    fixture,
    'POST',
    'whatsapp_commerce_settings?is_cart_enabled=false&is_catalog_visible=true',
  )
  const read = await call(fixture, 'GET', 'whatsapp_commerce_settings')

  assert.deepEqual(body, { success: true })
  assert.deepEqual(read.body.data, [{ is_cart_enabled: false, is_catalog_visible: true, id: fixture.phoneId }])
  assert.match(await refuse(fixture, 'whatsapp_commerce_settings?is_cart_enabled=1', {}), /must be a boolean/)
})

test('the encryption key is an RSA public key of 2048 bits', async (t) => {
  const fixture = await startFixture(t)
  const pem = (bits: number) =>
    generateKeyPairSync('rsa', {
      modulusLength: bits,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
  const { publicKey, privateKey } = pem(2048)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = Buffer.from(new URLSearchParams({ business_public_key: publicKey }).toString())
  const path = `/v25.0/${fixture.phoneId}/whatsapp_business_encryption`

  assert.deepEqual((await fixture.graph('GET', path)).body, { data: [] })
  assert.deepEqual((await fixture.graph('POST', path, body, form)).body, { success: true })
  assert.deepEqual((await fixture.graph('GET', path)).body.data, [
    { business_public_key: publicKey, business_public_key_signature_status: 'VALID' },
  ])
  for (const wrong of [privateKey, pem(1024).publicKey, 'x', '']) {
    await refuse(fixture, 'whatsapp_business_encryption', { business_public_key: wrong })
  }
})

test('calling settings show the passwords of SIP servers only on request', async (t) => {
  const fixture = await startFixture(t)
  const sip = { status: 'ENABLED', servers: [{ hostname: 'sip.example.com', port: 5061 }] }

  assert.deepEqual((await call(fixture, 'POST', 'settings', { calling: { sip } })).body, { success: true })
  const plain = JSON.stringify((await call(fixture, 'GET', 'settings')).body)
  const asked = JSON.stringify((await call(fixture, 'GET', 'settings?include_sip_credentials=true')).body)

  assert.match(plain, /"hostname":"sip.example.com"/)
  assert.doesNotMatch(plain, /sip_user_password/)
  assert.match(asked, /sip_user_password/)
})

test('calls of a number with SIP are 131055, and settings with unknown members are refused', async (t) => {
  const fixture = await startFixture(t)
  await call(fixture, 'POST', 'settings', { calling: { sip: { status: 'ENABLED', servers: [{ hostname: 'a.b' }] } } })

  const action = { messaging_product: 'whatsapp', call_id: 'x', action: 'reject' }
  assert.equal((await call(fixture, 'POST', 'calls', action)).body.error.code, 131055)
  assert.match(await refuse(fixture, 'settings', { calling: { color: 'red' } }), /Unexpected key/)
  assert.match(await refuse(fixture, 'settings', { calling: { status: 'on' } }), /must be one of/)
  assert.match(await refuse(fixture, 'settings', {}), /calling is required/)
})

test('calling that is disabled in the settings refuses calls with 138000', async (t) => {
  const fixture = await startFixture(t)
  await call(fixture, 'POST', 'settings', { calling: { status: 'DISABLED' } })

  const action = { messaging_product: 'whatsapp', call_id: 'x', action: 'reject' }
  assert.equal((await call(fixture, 'POST', 'calls', action)).body.error.code, 138000)
})

test('a username is set, shown and deleted', async (t) => {
  const fixture = await startFixture(t)

  assert.deepEqual((await call(fixture, 'GET', 'username')).body, {})
  assert.deepEqual((await call(fixture, 'POST', 'username', { username: 'padaria.1' })).body, { status: 'approved' })
  assert.deepEqual((await call(fixture, 'GET', 'username')).body, { username: 'padaria.1', status: 'approved' })
  assert.equal(await readField(fixture, 'username'), 'padaria.1')
  assert.deepEqual((await call(fixture, 'DELETE', 'username')).body, { success: true })
  assert.deepEqual((await call(fixture, 'GET', 'username')).body, {})
  for (const username of ['ab', 'a'.repeat(36), 'a b', 'ação']) await refuse(fixture, 'username', { username })
})

test('a username that another number has, or of a business that is not verified, is refused with its code', async (t) => {
  const fixture = await startFixture(t)
  await call(fixture, 'POST', 'username', { username: 'padaria' })
  const claim = async (account: object) => {
    const other = await fixture.control<SeededAccount>('POST', '/accounts', { ...account, numbers: [{}] })
    const headers = { authorization: `Bearer ${other.access_token}` }
    const path = `/${other.numbers[0]?.phone_number_id}/username`
    return (await fixture.graph('POST', path, { username: 'Padaria' }, headers)).body.error.code
  }

  assert.equal(await claim({}), 147001)
  assert.equal(await claim({ business_id: fixture.account.business_id }), 147005)
  assert.equal(await claim({ verified: false }), 147002)
})

test('a number with a callback of its own sends its webhooks there, until the callback is removed', async (t) => {
  const fixture = await startFixture(t)
  const own = await startReceiver(VERIFY_TOKEN)
  t.after(() => own.close())
  const configure = (uri: string, token = VERIFY_TOKEN) =>
    fixture.graph('POST', `/${fixture.phoneId}`, {
      webhook_configuration: { override_callback_uri: uri, verify_token: token },
    })

  assert.deepEqual((await configure(own.url)).body, { success: true })
  assert.deepEqual(await readField(fixture, 'webhook_configuration'), {
    phone_number: own.url,
    application: fixture.receiver.url,
  })
  await fixture.receive()
  assert.deepEqual([own.posts.length, fixture.receiver.posts.length], [1, 0])
  assert.equal((await configure(own.url, 'wrong')).body.error.code, 2200)
  assert.equal((await configure(`${own.url}${'a'.repeat(200)}`)).body.error.code, 100)
  await configure('')
  await fixture.receive()
  assert.deepEqual([own.posts.length, fixture.receiver.posts.length], [1, 1])
})

test('a PIN is set on the number, and a write without a known parameter is refused', async (t) => {
  const fixture = await startFixture(t)
  const write = async (body: object) => (await fixture.graph('POST', `/${fixture.phoneId}`, body)).body

  assert.deepEqual(await write({ pin: '654321' }), { success: true })
  assert.equal((await write({ pin: '12' })).error.code, 100)
  assert.equal((await write({ verified_name: 'x' })).error.code, 100)
})
