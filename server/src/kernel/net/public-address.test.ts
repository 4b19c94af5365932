import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { isPublicAddress } from './public-address.ts'

/** First and last address of each special block, and its neighbors on both sides if they are public. */
const BLOCKS: readonly [first: string, last: string, before: string | null, after: string | null][] = [
  ['0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
  ['192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '239.255.255.255', '223.255.255.255', null],
  ['240.0.0.0', '255.255.255.255', null, null],
  ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, '2000::'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:200::'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
  [
    '2620:4f:8000::',
    '2620:4f:8000:ffff:ffff:ffff:ffff:ffff',
    '2620:4f:7fff:ffff:ffff:ffff:ffff:ffff',
    '2620:4f:8001::',
  ],
  ['3ffe::', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffd:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', null, '3fff:1000::'],
  ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
]

/** The named kinds of addresses outside 2000::/3. */
const NAMED_IPV6 = {
  loopback: ['::1', '0:0:0:0:0:0:0:1'],
  'discard-only': ['100::', '100::ffff:ffff:ffff:ffff', '100:0:0:1::'],
  'segment routing': ['5f00::1'],
  'unique-local': ['fc00::', 'fd00::1', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'link-local': ['fe80::', 'fe80::1', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'site-local': ['fec0::1'],
  multicast: ['ff00::', 'ff02::1', 'ff0e::1'],
  metadata: ['fd00:ec2::254', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe'],
}

/** A public IPv4 address inside IPv6 is refused too, because the gateway on the way to it is unknown. */
const EMBEDDED = {
  mapped: ['::ffff:8.8.8.8', '::ffff:808:808', '::ffff:127.0.0.1', '::FFFF:7F00:1'],
  compatible: ['::8.8.8.8', '::127.0.0.1', '::7f00:1'],
  translated: ['::ffff:0:8.8.8.8', '::ffff:0:127.0.0.1'],
  NAT64: ['64:ff9b::8.8.8.8', '64:ff9b::7f00:1', '64:ff9b:1::8.8.8.8', '64:ff9b:1:7f00:0:100::'],
  '6to4': ['2002:808:808::', '2002:7f00:1::1'],
  Teredo: ['2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001::1'],
  ISATAP: ['2a00:1450::5efe:8.8.8.8', '2a00:1450::200:5efe:127.0.0.1', '2606:4700::5efe:7f00:1', 'fe80::5efe:a00:1'],
}

const HOSTS = ['1.1.1.1', '8.8.8.8', '93.184.215.14', '223.255.255.254', '2606:4700:4700::1111', '2a00:1450:4001::200e']

test('the addresses of special blocks are not public, and their neighbors are', {
  rules: ['destination.loopback-is-refused', 'destination.link-local-is-refused', 'destination.is-a-public-host'],
}, () => {
  for (const [first, last, before, after] of BLOCKS) {
    assert.equal(isPublicAddress(first), false, first)
    assert.equal(isPublicAddress(last), false, last)
    for (const neighbor of [before, after]) if (neighbor) assert.equal(isPublicAddress(neighbor), true, neighbor)
  }
})

test('ordinary hosts are public', () => {
  assert.deepEqual(
    HOSTS.filter((address) => !isPublicAddress(address)),
    [],
  )
})

test('no kind of local IPv6 address is public', { rules: ['destination.loopback-is-refused'] }, () => {
  assert.deepEqual(Object.values(NAMED_IPV6).flat().filter(isPublicAddress), [])
})

test('no IPv6 address that embeds an IPv4 address is public', {
  rules: ['destination.embedded-ipv4-is-refused'],
}, () => {
  assert.deepEqual(Object.values(EMBEDDED).flat().filter(isPublicAddress), [])
})

test('an address whose interface id only resembles ISATAP is public', () => {
  assert.equal(isPublicAddress('2a00:1450::100:5efe:808:808'), true)
  assert.equal(isPublicAddress('2a00:1450::5eff:808:808'), true)
})

test('the IPv4 addresses of cloud metadata services are not public', () => {
  const services = ['169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192']

  assert.deepEqual(services.filter(isPublicAddress), [])
})

test('a text that is not an address in its normal form is not public', () => {
  const texts = ['', ' ', 'example.com', '8.8.8.8 ', '8.8.8', '134744072', '0x08080808', '010.8.8.8', '8.8.8.8/32']
  const v6 = ['[2606:4700::1111]', '2606:4700::1111%eth0', 'fe80::1%eth0', '2606:4700::1111/128', '2606:4700:::1', ':']

  assert.deepEqual([...texts, ...v6].filter(isPublicAddress), [])
})

test('agrees with a block list on any IPv4 address', () => {
  const special = new BlockList()
  for (const [first, last] of BLOCKS) if (first.includes('.')) special.addRange(first, last, 'ipv4')
  const edges = BLOCKS.filter(([first]) => first.includes('.')).flatMap(([first, last]) => [
    toNumber(first),
    toNumber(last),
  ])
  const nearEdge = fc
    .tuple(fc.constantFrom(...edges), fc.integer({ min: -3, max: 3 }))
    .map(([edge, step]) => Math.min(0xffffffff, Math.max(0, edge + step)))

  fc.assert(
    fc.property(fc.oneof(fc.nat({ max: 0xffffffff }), nearEdge), (value) => {
      const address = toIpv4(value)
      assert.equal(isPublicAddress(address), !special.check(address, 'ipv4'), address)
    }),
    { numRuns: 3000 },
  )
})

test('agrees with a block list on any IPv6 address in any notation', () => {
  const special = new BlockList()
  for (const [first, last] of BLOCKS) if (first.includes(':')) special.addRange(first, last, 'ipv6')
  const heads = ['2000', '2001', '2002', '2003', '2620', '2a00', '3ffe', '3fff', '4000', 'fd00', 'fe80', '64', '0']
  const group = fc.nat({ max: 0xffff }).map((value) => value.toString(16))
  const odd = fc.constantFrom('0', '1', 'db8', '1ff', '200', '4f', '8000', '5efe', 'fff', '1000', 'ffff', 'ff9b')
  const groups = fc.tuple(
    fc.oneof(fc.constantFrom(...heads), group),
    fc.array(fc.oneof(group, odd), { minLength: 7, maxLength: 7 }),
  )

  fc.assert(
    fc.property(groups, fc.boolean(), ([head, rest], isUpper) => {
      const full = [head, ...rest]
      const isIsatap = ['0', '200'].includes(full[4] ?? '') && full[5] === '5efe'
      const short = new URL(`http://[${full.join(':')}]`).hostname.slice(1, -1)
      const expected = !special.check(full.join(':'), 'ipv6') && !isIsatap
      for (const address of [full.join(':'), short, full.map((one) => one.padStart(4, '0')).join(':')]) {
        assert.equal(isPublicAddress(isUpper ? address.toUpperCase() : address), expected, address)
      }
    }),
    { numRuns: 3000 },
  )
})

function toNumber(address: string): number {
  return address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0)
}

function toIpv4(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join('.')
}
