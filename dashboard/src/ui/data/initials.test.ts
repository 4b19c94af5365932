import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initials } from './initials.ts'

test('a name is two letters of its first and its last word, or of its only one', () => {
  const rows = [
    ['Ana Beatriz de Souza', 'AS'],
    ['  bruno   lima ', 'BL'],
    ['Zé', 'ZÉ'],
    ['x', 'X'],
    ['😀 😎', '😀😎'],
    ['', ''],
  ]
  for (const [name, letters] of rows) assert.equal(initials(name!), letters)
})
