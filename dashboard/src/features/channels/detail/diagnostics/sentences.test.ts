import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setReader } from '../../../../../test/reader.ts'
import { translateSentence } from './sentences.ts'

const VERIFIED = 'The last callback of the upstream, at 2026-11-17T12:05:09.123Z, was verified.'

test('a sentence of the hub has the language and the clock of its reader', (t) => {
  const reader = { timeZone: 'America/Sao_Paulo', now: '2026-11-17T18:00:00Z' }
  setReader(t, reader)
  assert.equal(translateSentence(VERIFIED), 'The last callback of the upstream, at 09:05:09, was verified.')

  setReader(t, { timeZone: reader.timeZone, language: 'pt-BR' })
  assert.equal(translateSentence(VERIFIED), 'O último aviso do WhatsApp (09:05:09) tinha assinatura válida.')
})

test('a sentence that is not known stays as the hub says it', (t) => {
  setReader(t, { language: 'pt-BR' })
  assert.equal(translateSentence('Something new.'), 'Something new.')
})
