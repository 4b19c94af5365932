import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub, type TestHub } from '../../../test/hub.ts'

const PROXY_HERE = { TRUSTED_PROXIES: '127.0.0.1/32' }
const PROXY_ELSEWHERE = { TRUSTED_PROXIES: '10.0.0.0/8' }
const CLIENT = '203.0.113.7'

/** The client address that the hub records for the creation of a key, in the audit log and in its own log. */
async function recordedAddress(hub: TestHub, headers: Record<string, string>): Promise<string> {
  const acme = await hub.organization()
  const made = await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] }, { headers })
  const [entry] = (await acme.get(`/api/v1/audit-log?target_id=${made.body.data.api_key.id}`)).body.data.entries
  const lines = hub.logs.map((line) => JSON.parse(line))
  const logged = lines.find(({ msg, request_id }) => msg === 'request' && request_id === entry.request_id)
  assert.equal(logged.ip, entry.ip)
  return entry.ip
}

test('the client address is the one that a trusted proxy forwards', {
  rules: ['config.only-trusted-proxies-are-believed'],
}, async (t) => {
  const hub = await startHub(t, { env: PROXY_HERE })

  assert.equal(await recordedAddress(hub, { 'x-forwarded-for': CLIENT }), CLIENT)
  assert.equal(await recordedAddress(hub, { 'x-forwarded-for': '2001:db8::7' }), '2001:db8::7')
  assert.equal(await recordedAddress(hub, {}), '127.0.0.1')
})

// A client can send the header too. Only the last entry was added by the proxy.
test('an address that the client itself sent is ignored', {
  rules: ['config.only-trusted-proxies-are-believed'],
}, async (t) => {
  const hub = await startHub(t, { env: PROXY_HERE })

  const kept = await recordedAddress(hub, { 'x-forwarded-for': `10.1.1.1, nonsense, ${CLIENT}` })

  assert.equal(kept, CLIENT)
})

for (const [what, env] of Object.entries({ 'of no proxy': {}, 'of a proxy in another network': PROXY_ELSEWHERE })) {
  test(`the headers ${what} are ignored`, { rules: ['config.only-trusted-proxies-are-believed'] }, async (t) => {
    const hub = await startHub(t, { env })
    const headers = { 'x-forwarded-for': CLIENT, 'x-real-ip': CLIENT, forwarded: `for=${CLIENT}` }

    assert.equal(await recordedAddress(hub, headers), '127.0.0.1')
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
  test(`if a trusted proxy forwards ${what}, its own address is recorded`, {
    rules: ['config.proxy-without-address-counts-itself'],
  }, async (t) => {
    const hub = await startHub(t, { env: PROXY_HERE })

    assert.equal(await recordedAddress(hub, { 'x-forwarded-for': junk }), '127.0.0.1')
  })
}

test('a request that is refused before routing is logged with an address', async (t) => {
  const hub = await startHub(t, { env: PROXY_HERE })

  const refused = await hub.anonymous.get(`/console/join/${'a'.repeat(5000)}`, {
    headers: { 'x-forwarded-for': 'nonsense' },
  })

  const [line] = hub.logs.map((text) => JSON.parse(text)).filter(({ msg }) => msg === 'request')
  assert.equal(line.request_id, refused.body.error.request_id)
  assert.equal(line.ip, '127.0.0.1')
})

// Without the proxy in TRUSTED_PROXIES all clients share its address, and one of them can lock out all sign-ins.
test('the first forwarding header of a peer that is not trusted is one warning, and that of a trusted peer none', {
  rules: ['config.unknown-proxy-is-warned-of'],
}, async (t) => {
  const [untrusted, trusted] = [
    await startHub(t, { env: PROXY_ELSEWHERE, isOwn: true }),
    await startHub(t, { env: PROXY_HERE, isOwn: true }),
  ]

  for (const hub of [untrusted, trusted]) {
    await hub.anonymous.get('/health')
    for (let i = 0; i < 2; i++) await hub.anonymous.get('/health', { headers: { 'x-forwarded-for': CLIENT } })
  }

  const [warnings, none] = [untrusted, trusted].map(({ logs }) =>
    logs.filter((line) => line.includes('untrusted peer')),
  )
  assert.equal(warnings?.length, 1)
  assert.match(warnings?.[0] ?? '', /"level":"warn".*"peer":"127\.0\.0\.1".*untrusted peer is ignored/)
  assert.equal(none?.length, 0)
})
