import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAddressFamily, isLoopbackAddress, isLoopbackHost, parseCidr } from './addresses.ts'

test('loopback addresses are 127.0.0.0/8 and ::1, also as mapped IPv6', () => {
  const own = ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1']
  const others = ['126.255.255.255', '128.0.0.1', '0.0.0.0', '10.0.0.1', '::', '::2', '::7f00:1', '::ffff:10.0.0.1']
  const notAddresses = ['', 'localhost', '127.1', '2130706433', '127.0.0.1:80', '[::1]', 'fe80::1%lo']

  assert.deepEqual(
    own.filter((address) => !isLoopbackAddress(address)),
    [],
  )
  assert.deepEqual([...others, ...notAddresses].filter(isLoopbackAddress), [])
})

test("a URL's host is loopback if it is localhost or a loopback address", () => {
  const own = ['localhost', 'LOCALHOST', '127.0.0.1', '[::1]']
  const others = ['', 'localhost.example.com', 'example.com', '127.0.0.1.nip.io', '[::2]', 'notlocalhost', '0.0.0.0']

  assert.deepEqual(
    own.filter((host) => !isLoopbackHost(host)),
    [],
  )
  assert.deepEqual(others.filter(isLoopbackHost), [])
})

test('parses a block with or without brackets, and a single address as a block of one', () => {
  assert.deepEqual(parseCidr('10.0.0.0/8'), { address: '10.0.0.0', bits: 8, family: 'ipv4' })
  assert.deepEqual(parseCidr('10.1.2.3'), { address: '10.1.2.3', bits: 32, family: 'ipv4' })
  assert.deepEqual(parseCidr('fd00::/8'), { address: 'fd00::', bits: 8, family: 'ipv6' })
  assert.deepEqual(parseCidr('[fd00::]/8'), { address: 'fd00::', bits: 8, family: 'ipv6' })
  assert.deepEqual(parseCidr('[::1]'), { address: '::1', bits: 128, family: 'ipv6' })
})

test('does not parse an invalid block', () => {
  const others = ['', '/8', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/', '10.0.0/8', 'fd00::/129', '[fd00::/8]', 'host/8']

  assert.deepEqual(
    others.filter((text) => parseCidr(text) !== undefined),
    [],
  )
})

test('finds the family of an address, and none for a name', () => {
  assert.deepEqual(['1.2.3.4', '::1', 'example.com', ''].map(findAddressFamily), ['ipv4', 'ipv6', undefined, undefined])
})
