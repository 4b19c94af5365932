import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillText } from './fill-text.ts'

test('each place has its value, and a value is not filled in turn', () => {
  const text = fillText('{{name}} has {{count}} of {{count}}', { name: '{{count}} $& $1', count: 3 })

  assert.equal(text, '{{count}} $& $1 has 3 of 3')
})

test('a text without a value for a place is a fault', () => {
  assert.throws(() => fillText('Join {{organization}}', {}), /no value for organization/)
})
