import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fold } from './fold.ts'

test('a text is found without its accents and its case', () => {
  assert.equal(fold('FARMÁCIA São João'), 'farmacia sao joao')
  assert.equal(fold('Coração'), fold('coracao'))
})
