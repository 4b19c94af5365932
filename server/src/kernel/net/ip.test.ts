import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toAddressKey } from './ip.ts'

const KEYS: [text: string | null, key: string][] = [
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['::1', '::/64'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['', ''],
  [null, ''],
]

for (const [text, key] of KEYS) {
  test(`limits count the address ${text} as ${key || 'the empty text'}`, {
    rules: ['signin.ipv6-counts-by-64'],
  }, () => {
    assert.equal(toAddressKey(text), key)
  })
}
