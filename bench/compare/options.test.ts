import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCompareOptions } from './options.ts'

test('without names and rounds, all paths are compared in nine rounds', () => {
  assert.deepEqual(readCompareOptions([], { with: 'HEAD' }), {
    ref: 'HEAD',
    rounds: 9,
    paths: ['send', 'inbound', 'deliver'],
    isJson: false,
  })
})

test('named paths are compared in their usual order', () => {
  assert.deepEqual(readCompareOptions(['deliver', 'send'], { with: 'v1', rounds: '3', json: true }), {
    ref: 'v1',
    rounds: 3,
    paths: ['send', 'deliver'],
    isJson: true,
  })
})

for (const [names, values, expected] of [
  [[], {}, /--with/],
  [[], { with: '' }, /--with/],
  [['send', 'gate'], { with: 'HEAD' }, /knows no gate\. It has: send, inbound, deliver/],
  [[], { with: 'HEAD', rounds: '0' }, /--rounds is a whole number/],
  [[], { with: 'HEAD', rounds: '2.5' }, /--rounds is a whole number/],
] as const) {
  test(`compare refuses ${JSON.stringify([...names, values])} with a sentence`, () => {
    assert.match(String(readCompareOptions([...names], values)), expected)
  })
}
