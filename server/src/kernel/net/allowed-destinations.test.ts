import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAllowedDestination } from './allowed-destinations.ts'

function parseProblem(entry: string): string | undefined {
  const parsed = parseAllowedDestination(entry)
  return 'problem' in parsed ? parsed.problem : undefined
}

test('parses a host and port, in lower case', () => {
  assert.deepEqual(parseAllowedDestination('receiver:8080'), { host: 'receiver', port: 8080 })
  assert.deepEqual(parseAllowedDestination('Hooks.Example.COM:443'), { host: 'hooks.example.com', port: 443 })
})

test('parses a block of addresses and a port', () => {
  assert.deepEqual(parseAllowedDestination('10.0.0.0/8:443'), {
    cidr: { address: '10.0.0.0', bits: 8, family: 'ipv4' },
    port: 443,
  })
  assert.deepEqual(parseAllowedDestination('127.0.0.1:9000'), {
    cidr: { address: '127.0.0.1', bits: 32, family: 'ipv4' },
    port: 9000,
  })
  assert.deepEqual(parseAllowedDestination('[fd00::]/8:443'), {
    cidr: { address: 'fd00::', bits: 8, family: 'ipv6' },
    port: 443,
  })
})

test('an entry without a port, or with an impossible one, is refused', {
  rules: ['config.allowed-destinations-have-a-form'],
}, () => {
  for (const entry of ['', ':', 'host', 'host:', 'host:0', 'host:65536', 'host:1e3', ':443', '10.0.0.0/8']) {
    assert.equal(parseProblem(entry), 'is not of the form host:port or CIDR:port', entry)
  }
})

test('an entry that is neither a host nor a block is refused', {
  rules: ['config.allowed-destinations-have-a-form'],
}, () => {
  for (const target of [
    'https://host',
    'a b',
    '*.example.com',
    '-a',
    'a-',
    'a..b',
    '10.0.0.0/33',
    'user@host',
    'h/p',
  ]) {
    assert.equal(parseProblem(`${target}:443`), 'names no host', target)
  }
})

// A URL turns each of these into an address, so the entry would never match.
test('an address in another notation is not a host', () => {
  for (const target of ['2130706433', '0x7f000001', '127.1', '0177.0.0.1', '0xa9fea9fe', '169.254.43518', 'a.0x10']) {
    assert.equal(parseProblem(`${target}:80`), 'names no host', target)
  }
})

test('a link-local or metadata address is refused, also as an IPv6 address', {
  rules: ['destination.link-local-is-refused'],
}, () => {
  const addresses = ['169.254.169.254', '169.254.0.0/16', '169.254.169.0/24', '168.63.129.16', '100.100.100.200']
  const v6 = ['[fe80::1]', '[fe80::]/10', '[fe80::1%eth0]', '[fd00:ec2::254]']
  const mapped = [
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[::ffff:169.254.0.0]/112',
    '[::ffff:168.63.129.16]',
  ]

  for (const target of [...addresses, ...v6, ...mapped]) {
    assert.equal(parseProblem(`${target}:80`), 'is a link-local or metadata address, which is never allowed', target)
  }
})
