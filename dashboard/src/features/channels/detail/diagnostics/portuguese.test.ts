import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PORTUGUESE } from './portuguese.ts'

const CHECKS = join(import.meta.dirname, '../../../../../../server/src/domains/channels/diagnostics')
const SENTENCE = /(['"`])([A-Z](?:(?!\1).)+\.)\1/g

/** What a check says, as the code of the hub writes it; `*` in the place of a value. */
function listSentences(): string[] {
  const sources = ['checks.ts', 'service.ts'].map((name) => readFileSync(join(CHECKS, name), 'utf8'))
  return [...sources.join('\n').matchAll(SENTENCE)].map(([, , text = '']) => text.replaceAll(/\$\{[^}]*\}/g, '*'))
}

test('every sentence of the diagnostics has a Portuguese one, and no other has', () => {
  const sentences = new Set(listSentences())

  assert.ok(sentences.size > 20)
  assert.deepEqual(Object.keys(PORTUGUESE).toSorted(), [...sentences].toSorted())
})

test('every translation has a place for each value', () => {
  for (const [english, portuguese] of Object.entries(PORTUGUESE)) {
    assert.equal(portuguese.split('*').length, english.split('*').length, english)
  }
})
