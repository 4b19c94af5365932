import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Language } from '@hubline/locales/languages.ts'
import { HubError } from '@hubline/sdk'
import { texts as english } from '../../../lib/hub-texts/hub-en.ts'
import { texts as spanish } from '../../../lib/hub-texts/hub-es.ts'
import { texts as portuguese } from '../../../lib/hub-texts/hub-pt-BR.ts'
import { describeFieldError, describeHubError } from './describe-error.ts'

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

const READERS = {
  en: { texts: english, language: 'en' },
  'pt-BR': { texts: portuguese, language: 'pt-BR', nameRole: () => 'Titular' },
  es: { texts: spanish, language: 'es' },
} satisfies Record<Language, { texts: unknown; language: Language; nameRole?: () => string }>

function buildError(code: string, message: string, details: object | null): HubError {
  return new HubError({ status: 400, code, message, details, requestId: null })
}

test('every error code of the API and the console has a text', () => {
  const codes = listCodes()

  assert.ok(codes.length > 25)
  assert.deepEqual(Object.keys(english.codes).toSorted(), codes)
})

test('an error is the sentence of its reason in the language of the reader, with its values', () => {
  const details = { reason: 'channels_of_plan', parameters: { limit: 2, used: 3 } }
  const error = buildError('QUOTA_EXCEEDED', 'In English.', details)

  const messages = Object.values(READERS).map((reader) => describeHubError(error, reader).message)

  assert.deepEqual(messages, [
    'Your plan allows 2 channels, and 3 are in use. Delete one, or buy more.',
    'Seu plano permite 2 canais, e 3 estão em uso. Exclua um, ou contrate mais.',
    'Tu plan permite 2 canales, y hay 3 en uso. Elimina uno o contrata más.',
  ])
})

test('a role in a sentence has its name in the language of the reader', () => {
  const details = { reason: 'role_too_low', parameters: { role: 'owner' } }

  const { message } = describeHubError(buildError('INSUFFICIENT_SCOPE', 'In English.', details), READERS['pt-BR'])

  assert.equal(message, 'Isto exige o papel Titular ou um acima dele.')
})

test('an error about a value of a form says so, with what is wrong with the value', () => {
  const issues = [{ path: '/name', message: 'is long', reason: 'too_long', parameters: { count: 100 } }]
  const parameters = { path: '/name', problem: 'is long' }
  const error = buildError('INVALID_REQUEST', 'In English.', { issues, reason: 'body_invalid', parameters })

  assert.deepEqual(describeHubError(error, READERS['pt-BR']), {
    message: 'O hub não aceita estes dados.',
    reason: 'O corpo é inválido: /name pode ter no máximo 100 caracteres.',
  })
})

test('a refusal of WhatsApp has its own explanation beside it', () => {
  const details = { details: 'Too long.', reason: 'upstream_refused', parameters: { title: 'Invalid parameter' } }

  const described = describeHubError(buildError('UPSTREAM_REJECTED', 'In English.', details), READERS.es)

  assert.deepEqual(described, { message: 'WhatsApp lo rechazó: Invalid parameter', reason: 'Too long.' })
})

test('a reason that is not known leaves the words of the hub beside the text of its code', () => {
  const details = { reason: 'of_a_newer_hub', parameters: {} }
  const message = 'As the hub says.'

  assert.deepEqual(describeHubError(buildError('CONFLICT', message, details), READERS.es), {
    message: 'Esto no es posible en la situación actual.',
    reason: message,
  })
  assert.deepEqual(describeHubError(buildError('BRAND_NEW', message, details), READERS.es), {
    message,
    reason: undefined,
  })
  assert.equal(describeHubError(buildError('CONFLICT', message, null), READERS.es).reason, message)
})

test('before the texts are loaded, an error has the words of the hub', () => {
  const error = buildError('CONFLICT', 'As the hub says.', { reason: 'email_not_verified', parameters: {} })

  const described = describeHubError(error, { texts: undefined, language: 'es' })

  assert.deepEqual(described, { message: 'As the hub says.', reason: undefined })
})

test('the issue of a field is a sentence in the language of the reader, or as the hub says it', () => {
  const issues = [
    { path: '/name', message: 'is long', reason: 'too_long', parameters: { count: 100 } },
    { path: '/code', message: 'is short', reason: 'too_short', parameters: { count: 1 } },
    { path: '/until', message: 'must be later', reason: 'not_later', parameters: { other: 'since' } },
    { path: '/time_zone', message: 'is on the moon', reason: 'of_a_newer_hub', parameters: {} },
    { path: '/url', message: 'is of an earlier hub' },
  ]
  const error = buildError('INVALID_REQUEST', '', { issues })
  const describe = (field: string, reader: Parameters<typeof describeFieldError>[2] = READERS['pt-BR']) =>
    describeFieldError(error, field, reader)

  assert.equal(describe('name'), 'Use no máximo 100 caracteres.')
  assert.equal(describe('name', READERS.en), 'Use at most 100 characters.')
  assert.equal(describe('code', READERS.es), 'Usa al menos 1 carácter.')
  assert.equal(describe('until'), 'Precisa ser depois de since.')
  assert.equal(describe('time_zone'), 'Is on the moon.')
  assert.equal(describe('url'), 'Is of an earlier hub.')
  assert.equal(describe('email'), undefined)
  assert.equal(describeFieldError(new Error('offline'), 'name', READERS.en), undefined)
})
