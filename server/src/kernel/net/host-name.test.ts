import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isHostName, isLocalName } from './host-name.ts'

test('a host name has labels of 1 to 63 characters, 253 in all', () => {
  const label = 'a'.repeat(63)
  const longest = `${label}.${label}.${label}.${'a'.repeat(61)}`
  const names = [
    'a',
    'a.b',
    'xn--bcher-kva.example',
    '3com.com',
    'my_service',
    '_a.b_',
    'a--b.c',
    `${label}.com`,
    longest,
  ]
  const others = ['', '.', 'a.', '.a', 'a..b', '-a.com', 'a-.com', '*.a.com', 'a!b.com', 'a b', 'A.com', 'bücher.de']

  assert.deepEqual(
    names.filter((name) => !isHostName(name)),
    [],
  )
  assert.deepEqual([...others, `${label}a.com`, `${longest}a`].filter(isHostName), [])
})

test('a host that ends in a number is not a name, because a URL reads it as an address', () => {
  const numbers = ['1', '127.1', '1.2.3.4', 'a.1', 'a.0x1f', '0x7f000001', '1.2.3.4.5', 'a.0x']

  assert.deepEqual(numbers.filter(isHostName), [])
  assert.deepEqual(
    ['1.a', '0x1.com', '127.0.0.1.nip.io', 'a.1x', 'a.0xg'].filter((name) => !isHostName(name)),
    [],
  )
})

test('a single label and the suffixes of local networks are local', {
  rules: ['destination.local-names-are-refused'],
}, () => {
  const local = [
    'localhost',
    'intranet',
    'com',
    'a.localhost',
    'printer.local',
    'metadata.google.internal',
    'a.home.arpa',
  ]
  const more = ['a.lan', 'a.corp', 'a.home', 'a.private', 'a.intranet', 'a.localdomain', 'a.test', 'a.onion', 'a.alt']
  const reversed = '1.0.0.127.in-addr.arpa'

  assert.deepEqual(
    [...local, ...more, reversed].filter((name) => !isLocalName(name)),
    [],
  )
})

test('a public name that contains such a suffix elsewhere is not local', () => {
  const names = [
    'example.com',
    'localhost.example.com',
    'internal.example.com',
    'mylocal.com',
    'a.notlocal',
    'local.dev',
  ]

  assert.deepEqual(names.filter(isLocalName), [])
})
