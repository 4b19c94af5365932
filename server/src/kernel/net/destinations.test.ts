import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAllowedDestination } from './allowed-destinations.ts'
import { createDestinations } from './destinations.ts'
import type { LookupQuery } from './lookup.ts'
import { createResolver } from './resolver.ts'

const NOT_PUBLIC = refusal('address_not_public')
const FORBIDDEN = refusal('address_forbidden')

test('a name with public addresses is accepted with exactly those addresses', async () => {
  const { check } = createTestDestinations({ 'hooks.example.com': ['93.184.215.14', '2606:4700::1111'] })

  const checked = await check('https://hooks.example.com/a?b#c')

  assert.ok(checked.ok)
  assert.equal(checked.url.href, 'https://hooks.example.com/a?b')
  assert.deepEqual(checked.addresses, [
    { address: '93.184.215.14', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ])
})

test('a name with an internal address among public ones is refused', {
  rules: ['config.empty-list-allows-no-exception', 'destination.loopback-is-refused', 'destination.is-a-public-host'],
}, async () => {
  const answers = [['10.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::1', '8.8.8.8'], ['8.8.8.8', '::ffff:8.8.8.8', '1.1.1.1']]

  for (const answer of answers) {
    const { check } = createTestDestinations({ 'hooks.example.com': answer })
    assert.deepEqual(await check('https://hooks.example.com/'), NOT_PUBLIC, String(answer))
  }
})

test('a name that changes to an internal address is refused at the next check', async () => {
  const zone: Record<string, string[]> = { 'hooks.example.com': ['8.8.8.8'] }
  let now = 0
  const { check } = createTestDestinations(zone, [], () => now)

  const before = await check('https://hooks.example.com/')
  zone['hooks.example.com'] = ['192.168.0.1']
  now += 1000

  assert.equal(before.ok, true)
  assert.deepEqual(await check('https://hooks.example.com/'), NOT_PUBLIC)
})

test('a name that does not resolve fails with DNS_FAILED', async () => {
  const { check } = createTestDestinations({})

  assert.deepEqual(await check('https://gone.example.com/'), {
    ok: false,
    code: 'DNS_FAILED',
    reason: 'host_unknown',
  })
})

test('an address in the URL is checked without a lookup', {
  rules: ['destination.address-is-read-in-every-notation'],
}, async () => {
  const { check, asked } = createTestDestinations({})

  const v4 = await check('https://8.8.8.8/')
  const v6 = await check('https://[2606:4700::1111]/')

  assert.deepEqual(v4.ok && v4.addresses, [{ address: '8.8.8.8', family: 4 }])
  assert.deepEqual(v6.ok && v6.addresses, [{ address: '2606:4700::1111', family: 6 }])
  assert.deepEqual(await check('https://0x7f.1/'), NOT_PUBLIC)
  assert.deepEqual(asked, [])
})

test('a URL that breaks a rule is refused without a lookup', {
  rules: ['config.empty-list-allows-no-exception', 'destination.is-https-only', 'destination.port-is-443'],
}, async () => {
  const { check, asked } = createTestDestinations({ 'hooks.example.com': ['8.8.8.8'] })

  assert.deepEqual(await check('http://hooks.example.com/'), refusal('url_not_https'))
  assert.deepEqual(await check('https://hooks.example.com:8443/'), refusal('url_of_other_port'))
  assert.deepEqual(asked, [])
})

test("a trusted host may be private and is resolved by the system, and a tenant's name only by DNS", {
  rules: [
    'destination.host-entry-trusts-that-host',
    'destination.trusted-names-resolve-locally',
    'config.allowed-destination-may-be-private',
  ],
}, async () => {
  const { check, asked } = createTestDestinations({ receiver: ['172.18.0.5'], 'a.example.com': ['8.8.8.8'] }, [
    'receiver:8080',
  ])

  const checked = await check('http://receiver:8080/hooks')
  await check('https://a.example.com/')

  assert.deepEqual(checked.ok && checked.addresses, [{ address: '172.18.0.5', family: 4 }])
  assert.deepEqual(asked, [
    { name: 'receiver', via: 'system' },
    { name: 'a.example.com', via: 'dns' },
  ])
})

test('a trusted host or block that resolves to a link-local or metadata address is refused', {
  rules: ['destination.link-local-is-refused'],
}, async () => {
  const addresses = ['169.254.169.254', 'fe80::1', 'fe80::1%lo0', '168.63.129.16', '::ffff:a9fe:a9fe', 'fd00:ec2::254']

  for (const address of addresses) {
    const zone = { receiver: ['10.0.0.1', address], 'a.example.com': [address] }
    const { check } = createTestDestinations(zone, ['receiver:80', '0.0.0.0/0:443', '[::]/0:443'])
    assert.deepEqual(await check('http://receiver/'), FORBIDDEN, address)
    assert.deepEqual(await check('https://a.example.com/'), FORBIDDEN, address)
  }
})

test('a name is accepted if each of its addresses is public or in a block that is trusted on its port', {
  rules: ['destination.block-entry-trusts-its-addresses'],
}, async () => {
  const zone = { 'a.example.com': ['10.0.0.1', '8.8.8.8'], 'b.example.com': ['10.0.0.1', '192.168.0.1'] }
  const { check } = createTestDestinations(zone, ['10.0.0.0/8:443', '192.168.0.0/16:8443'])

  assert.equal((await check('https://a.example.com/')).ok, true)
  assert.deepEqual(await check('https://b.example.com/'), NOT_PUBLIC)
})

test('http, another port or a local name is accepted only if every address is in a trusted block', {
  rules: ['destination.local-names-are-refused', 'destination.block-covers-every-address'],
}, async () => {
  const zone = {
    'in.example.com': ['10.0.0.1', '10.0.0.2'],
    'mixed.example.com': ['10.0.0.1', '8.8.8.8'],
    'app.internal': ['10.0.0.3'],
    'other.internal': ['8.8.8.8'],
  }
  const { check } = createTestDestinations(zone, ['10.0.0.0/8:8080', '10.0.0.0/8:443'])

  assert.equal((await check('http://in.example.com:8080/')).ok, true)
  assert.equal((await check('https://in.example.com:8080/')).ok, true)
  assert.equal((await check('https://app.internal/')).ok, true)
  assert.deepEqual(await check('http://mixed.example.com:8080/'), refusal('url_not_https'))
  assert.deepEqual(await check('https://mixed.example.com:8080/'), refusal('url_of_other_port'))
  assert.deepEqual(await check('https://other.internal/'), refusal('host_local'))
})

test('a URL is checked once for each answer of the name server, and again for the next answer', async () => {
  const zone: Record<string, string[]> = { 'a.example.com': ['8.8.8.8'], 'b.example.com': ['10.0.0.1'] }
  let now = 0
  const { check } = createTestDestinations(zone, [], () => now)
  const urls = ['https://a.example.com/x', 'https://a.example.com/y', 'https://b.example.com/', 'https://8.8.8.8/']

  const first = await Promise.all(urls.map((url) => check(url)))
  const again = await Promise.all(urls.map((url) => check(url)))
  zone['a.example.com'] = ['10.0.0.1']
  zone['b.example.com'] = ['8.8.4.4']
  now += 1000
  const later = await Promise.all(urls.map((url) => check(url)))

  for (const [index, verdict] of first.entries()) assert.equal(again[index], verdict)
  assert.deepEqual(
    [first, later].map((verdicts) => verdicts.map(({ ok }) => ok)),
    [
      [true, true, false, true],
      [false, false, true, true],
    ],
  )
})

test('a URL that was dropped from the cache gets the same verdict', async () => {
  const { check } = createTestDestinations({ 'a.example.com': ['8.8.8.8'] })
  const first = await check('https://a.example.com/')

  for (let i = 0; i < 5000; i++) await check(`https://a.example.com/${i}`)
  const again = await check('https://a.example.com/')

  assert.notEqual(again, first)
  assert.deepEqual(again, first)
})

test('an aborted check rejects with the reason of its signal', async () => {
  const { check } = createTestDestinations({ 'hooks.example.com': ['8.8.8.8'] })
  const reason = new Error('The deadline is over')

  await assert.rejects(check('https://hooks.example.com/', AbortSignal.abort(reason)), reason)
})

function createTestDestinations(zone: Record<string, string[]>, entries: string[] = [], now = () => 0) {
  const asked: LookupQuery[] = []
  const lookup = async (query: LookupQuery) => {
    asked.push(query)
    const addresses = zone[query.name]
    if (!addresses) throw Object.assign(new Error('No such name'), { code: 'ENOTFOUND' })
    return addresses.map((address) => ({ address, family: address.includes(':') ? (6 as const) : (4 as const) }))
  }
  const allowed = entries.map((entry) => {
    const parsed = parseAllowedDestination(entry)
    assert.ok(!('problem' in parsed), entry)
    return parsed
  })
  return { ...createDestinations({ allowed, resolver: createResolver({ timeoutMs: 1000, lookup, now }) }), asked }
}

function refusal(reason: string) {
  return { ok: false, code: 'DESTINATION_NOT_ALLOWED', reason }
}
