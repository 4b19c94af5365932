import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isolate } from './isolate.ts'

test('only a text that can reorder its surroundings is isolated', () => {
  for (const text of ['', 'Padaria São João', '+55 11 95550-0199', '面包店 🥐']) assert.equal(isolate(text), text)
  for (const text of ['מאפייה', 'مخبز', 'fatura\u202Efdp.exe', 'a\u2067b']) {
    assert.equal(isolate(text), `\u2068${text}\u2069`)
  }
})
