import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLanguage } from './languages.ts'

for (const [tags, expected] of [
  [['en-GB', 'pt-BR'], 'en'],
  [['pt-PT'], 'pt-BR'],
  [['fr-FR', 'PT'], 'pt-BR'],
  [['es-MX', 'en'], 'es'],
  [['ja', 'enx', ''], undefined],
  [[], undefined],
] as const) {
  test(`a browser that asks for ${tags.join(', ') || 'nothing'} gets ${expected ?? 'the fallback'}`, () => {
    assert.equal(findLanguage(tags), expected)
  })
}
