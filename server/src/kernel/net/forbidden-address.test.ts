import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isForbiddenAddress, isForbiddenBlock } from './forbidden-address.ts'

test('link-local and metadata addresses are forbidden, and their neighbors are not', () => {
  const forbidden = ['169.254.0.0', '169.254.169.254', '169.254.255.255', '168.63.129.16', '100.100.100.200']
  const v6 = [
    'fe80::',
    'febf:ffff::1',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    'fd00:42::42',
  ]
  const others = [
    '169.253.255.255',
    '169.255.0.0',
    '168.63.129.17',
    '100.100.100.199',
    '127.0.0.1',
    '10.0.0.1',
    '8.8.8.8',
  ]
  const othersV6 = ['fec0::', 'fe7f::1', 'fd00:ec3::254', 'fd20:ce::253', '::1', 'fd00::1', '2a00:1450::1']

  assert.deepEqual(
    [...forbidden, '192.0.0.192', ...v6].filter((address) => !isForbiddenAddress(address)),
    [],
  )
  assert.deepEqual([...others, ...othersV6].filter(isForbiddenAddress), [])
})

test('a forbidden IPv4 address is forbidden in every IPv6 address that embeds it', () => {
  const carriers: Record<string, (high: string, low: string) => string> = {
    compatible: (high, low) => `::${high}:${low}`,
    mapped: (high, low) => `::ffff:${high}:${low}`,
    translated: (high, low) => `::ffff:0:${high}:${low}`,
    NAT64: (high, low) => `64:ff9b::${high}:${low}`,
    'NAT64 of local use, 96 bits': (high, low) => `64:ff9b:1::${high}:${low}`,
    'NAT64 of local use, 48 bits': (high, low) => `64:ff9b:1:${high}:${low.slice(0, 2)}:${low.slice(2)}00::`,
    'NAT64 of local use, 56 bits': (high, low) => `64:ff9b:1:${high.slice(0, 2)}:${high.slice(2)}:${low}::`,
    'NAT64 of local use, 64 bits': (high, low) =>
      `64:ff9b:1::${high.slice(0, 2)}:${high.slice(2)}${low.slice(0, 2)}:${low.slice(2)}00:0`,
    '6to4': (high, low) => `2002:${high}:${low}::1`,
    'server of Teredo': (high, low) => `2001:0:${high}:${low}::`,
    'client of Teredo': (high, low) => `2001::${inverse(high)}:${inverse(low)}`,
    ISATAP: (high, low) => `fd12::5efe:${high}:${low}`,
    'ISATAP, of a global address': (high, low) => `fd12::200:5efe:${high}:${low}`,
  }

  for (const [carrier, carry] of Object.entries(carriers)) {
    assert.equal(isForbiddenAddress(carry('a9fe', 'a9fe')), true, `${carrier} ${carry('a9fe', 'a9fe')}`)
    assert.equal(isForbiddenAddress(carry('0a01', '0203')), false, carrier)
  }
})

// macOS had fe80::1%lo0 for localhost in its /etc/hosts.
test('a text that is not an address, or has a zone, is forbidden', () => {
  for (const text of ['', 'localhost', 'fe80::1%lo0', 'fd00::1%eth0', '0xa9fea9fe', '[fe80::1]']) {
    assert.equal(isForbiddenAddress(text), true, text)
  }
})

test('a block is forbidden only when all of it is', () => {
  const parse = (text: string) => {
    const [address = '', bits] = text.split('/')
    return { address, bits: Number(bits), family: address.includes(':') ? ('ipv6' as const) : ('ipv4' as const) }
  }
  const whole = ['169.254.0.0/16', '169.254.8.0/24', '::ffff:169.254.0.0/112', '64:ff9b::a9fe:a9fe/128', 'fe80::/64']
  const wider = [
    '169.254.0.0/15',
    '0.0.0.0/0',
    '::/0',
    '::ffff:169.254.0.0/111',
    '64:ff9b::/96',
    'fe80::/9',
    'fd00::/8',
  ]

  assert.deepEqual(
    whole.filter((text) => !isForbiddenBlock(parse(text))),
    [],
  )
  assert.deepEqual(
    wider.filter((text) => isForbiddenBlock(parse(text))),
    [],
  )
})

function inverse(group: string): string {
  return (0xffff ^ Number.parseInt(group, 16)).toString(16)
}
