import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isolateName } from './isolate.ts'

test('a name loses the characters that reorder the words around it', () => {
  assert.equal(isolateName('fatura\u202Efdp.exe'), 'faturafdp.exe')
  assert.equal(isolateName('\u2067Acme\u2069\u202E\u200F'), 'Acme')
})

test('only a name that is written from right to left is isolated, and cannot end its isolation', () => {
  for (const name of ['Padaria São João', '面包店 🥐', '+55 11']) assert.equal(isolateName(name), name)
  assert.equal(isolateName('מאפייה\u2069\u202E'), '\u2068מאפייה\u2069')
})
