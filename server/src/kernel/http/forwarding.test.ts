import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub, type TestHub } from '../../../test/hub.ts'

const PROXY_HERE = { TRUSTED_PROXIES: '127.0.0.1/32' }
const PROXY_ELSEWHERE = { TRUSTED_PROXIES: '10.0.0.0/8' }
const CLIENT = '203.0.113.7'

/** The address that the hub keeps of whoever makes a key, in the audit log and in its own log. */
async function keptAddress(hub: TestHub, headers: Record<string, string>): Promise<string> {
  const acme = await hub.organization()
  const made = await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] }, { headers })
  const [entry] = (await acme.get(`/api/v1/audit-log?target_id=${made.body.data.api_key.id}`)).body.data.entries
  const lines = hub.logs.map((line) => JSON.parse(line))
  const logged = lines.find(({ msg, request_id }) => msg === 'request' && request_id === entry.request_id)
  assert.equal(logged.ip, entry.ip)
  return entry.ip
}

test('whom a trusted proxy names is where the request came from', { rules: ['D2-34'] }, async (t) => {
  const hub = await startHub(t, { env: PROXY_HERE })

  assert.equal(await keptAddress(hub, { 'x-forwarded-for': CLIENT }), CLIENT)
  assert.equal(await keptAddress(hub, { 'x-forwarded-for': '2001:db8::7' }), '2001:db8::7')
  assert.equal(await keptAddress(hub, {}), '127.0.0.1')
})

// A client can write the header too: only what the proxy itself added, at its end, is the proxy's word.
test('what a client wrote before its proxy did is not believed', { rules: ['D2-34'] }, async (t) => {
  const hub = await startHub(t, { env: PROXY_HERE })

  const kept = await keptAddress(hub, { 'x-forwarded-for': `10.1.1.1, nonsense, ${CLIENT}` })

  assert.equal(kept, CLIENT)
})

for (const [what, env] of Object.entries({ 'of no proxy': {}, 'of a proxy in another network': PROXY_ELSEWHERE })) {
  test(`the headers ${what} are not believed`, { rules: ['D2-34'] }, async (t) => {
    const hub = await startHub(t, { env })
    const headers = { 'x-forwarded-for': CLIENT, 'x-real-ip': CLIENT, forwarded: `for=${CLIENT}` }

    assert.equal(await keptAddress(hub, headers), '127.0.0.1')
  })
}

for (const [what, junk] of Object.entries({
  'a word': 'unknown',
  nothing: '',
  'half an address': '203.0.113',
  'an address with a port': '203.0.113.7:4711',
  'an address with a zone': 'fe80::1%eth0',
  'an address with a very long zone': `fe80::1%${'x'.repeat(4000)}`,
  markup: '<b>203.0.113.7</b>',
})) {
  test(`where a trusted proxy names ${what}, its own address is the one that is kept`, {
    rules: ['D2-63'],
  }, async (t) => {
    const hub = await startHub(t, { env: PROXY_HERE })

    assert.equal(await keptAddress(hub, { 'x-forwarded-for': junk }), '127.0.0.1')
  })
}

test('what is refused before it is routed is logged with an address too', async (t) => {
  const hub = await startHub(t, { env: PROXY_HERE })

  const refused = await hub.anonymous.get(`/console/join/${'a'.repeat(5000)}`, {
    headers: { 'x-forwarded-for': 'nonsense' },
  })

  const [line] = hub.logs.map((text) => JSON.parse(text)).filter(({ msg }) => msg === 'request')
  assert.equal(line.request_id, refused.body.error.request_id)
  assert.equal(line.ip, '127.0.0.1')
})
