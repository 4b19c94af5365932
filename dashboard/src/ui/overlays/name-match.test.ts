import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNameTyped } from './name-match.ts'

test('a name counts as typed where it looks the same', () => {
  assert.ok(isNameTyped('Padaria São João', 'Padaria São João'))
  assert.ok(isNameTyped(' Padaria  São João', 'Padaria São\tJoão '))
  assert.ok(isNameTyped('Padaria São João', 'Padaria\u200b Sa\u0303o João\u202e'))
  for (const typed of ['', 'padaria são joão', 'Padaria Sao Joao', 'Padaria São']) {
    assert.ok(!isNameTyped(typed, 'Padaria São João'), typed)
  }
})
