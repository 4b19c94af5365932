import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLocalDestination } from './local-destination.ts'

test('an address of the own machine or network is named as the setting takes it', () => {
  assert.equal(findLocalDestination('http://localhost:3000/hook'), 'localhost:3000')
  assert.equal(findLocalDestination(' http://127.0.0.1/hook '), '127.0.0.1:80')
  assert.equal(findLocalDestination('https://192.168.1.4/hook'), '192.168.1.4:443')
  assert.equal(findLocalDestination('http://[::1]:8081/'), '[::1]:8081')
})

test('other addresses have no such name', () => {
  const others = [
    'http://example.com:3000',
    'https://1.1.1.1',
    'http://169.254.169.254',
    'ftp://localhost',
    'localhost',
  ]
  assert.deepEqual(
    others.map(findLocalDestination),
    others.map(() => undefined),
  )
})
