import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { HubError } from '@hubline/sdk'
import { CODE_TEXTS, CODES_WITH_REASON } from './code-texts.ts'
import { describeFieldError, describeHubError } from './describe-error.ts'
import { FIELD_SENTENCES, HUB_SENTENCES } from './hub-sentences.ts'

const ROOT = join(import.meta.dirname, '../../../../..')

type Document = { paths: Record<string, Record<string, { 'x-error-codes'?: Record<string, string[]> }>> }

/** The codes of every route that the dashboard can call: all but the facade and the callbacks. */
function listCodes(): string[] {
  const documents = ['openapi.json', 'openapi-console.json'].map(
    (name): Document => JSON.parse(readFileSync(join(ROOT, name), 'utf8')),
  )
  const routes = documents
    .flatMap(({ paths }) => Object.entries(paths))
    .filter(([path]) => path.startsWith('/api/') || path.startsWith('/console/'))
  const codes = routes.flatMap(([, methods]) =>
    Object.values(methods).flatMap(({ 'x-error-codes': byStatus = {} }) => Object.values(byStatus).flat()),
  )
  return [...new Set(codes)].sort()
}

test('every error code of the API and the console has a text in both languages', () => {
  const codes = listCodes()

  assert.ok(codes.length > 25)
  const missing = codes.filter((code) => !CODE_TEXTS[code]?.en || !CODE_TEXTS[code]['pt-BR'])
  assert.deepEqual(missing, [])
  assert.deepEqual(Object.keys(CODE_TEXTS).toSorted(), codes)
  for (const code of CODES_WITH_REASON) assert.ok(code in CODE_TEXTS, code)
})

test('fields have the same sentences in both languages', () => {
  assert.deepEqual(Object.keys(FIELD_SENTENCES.en), Object.keys(FIELD_SENTENCES['pt-BR']))
})

test('every translation has a place for each value', () => {
  const all = [HUB_SENTENCES, FIELD_SENTENCES.en, FIELD_SENTENCES['pt-BR']].flatMap((texts) => Object.entries(texts))

  for (const [english, translation] of all) {
    assert.equal(translation.split('*').length, english.split('*').length, english)
  }
})

test('a known sentence is translated with its values, and English keeps it', () => {
  const message = 'Your plan allows 2 channels, and 2 are in use. Delete one, or buy more.'
  const error = { code: 'QUOTA_EXCEEDED', message }

  assert.deepEqual(describeHubError(error, 'en'), { message, reason: undefined })
  const portuguese = 'Seu plano permite 2 canais, e 2 estão em uso. Exclua um, ou contrate mais.'
  assert.deepEqual(describeHubError(error, 'pt-BR'), { message: portuguese, reason: undefined })
})

test('an unknown sentence becomes the text of its code, with the cause beside it where the code has several', () => {
  const invalid = { code: 'INVALID_REQUEST', message: 'Something else.' }
  const limited = { code: 'RATE_LIMITED', message: 'Too many requests. Try again in 7 seconds.' }
  const unknown = { code: 'BRAND_NEW', message: 'As the hub says.' }

  const message = 'O hub não aceita estes dados.'
  assert.deepEqual(describeHubError(invalid, 'pt-BR'), { message, reason: 'Something else.' })
  assert.equal(describeHubError(limited, 'pt-BR').reason, undefined)
  assert.deepEqual(describeHubError(unknown, 'pt-BR'), { message: 'As the hub says.', reason: undefined })
})

test('the issue of a field is a sentence in the language of the reader, or as the hub says it', () => {
  const issues = [
    { path: '/name', message: 'must have at most 100 characters' },
    { path: '/time_zone', message: 'is on the moon' },
  ]
  const error = new HubError({
    status: 400,
    code: 'INVALID_REQUEST',
    message: '',
    details: { issues },
    requestId: null,
  })

  assert.equal(describeFieldError(error, 'name', 'pt-BR'), 'Use no máximo 100 caracteres.')
  assert.equal(describeFieldError(error, 'name', 'en'), 'Use at most 100 characters.')
  assert.equal(describeFieldError(error, 'time_zone', 'pt-BR'), 'is on the moon')
  assert.equal(describeFieldError(error, 'email', 'pt-BR'), undefined)
  assert.equal(describeFieldError(new Error('offline'), 'name', 'en'), undefined)
})
