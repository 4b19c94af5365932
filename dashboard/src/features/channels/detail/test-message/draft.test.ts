import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKey, type Draft, EMPTY_DRAFT, readRecipient, toBody } from './draft.ts'
import type { KnownTemplate } from './template-fields.ts'

const TEXT: Draft = { ...EMPTY_DRAFT, to: '+55 (11) 95550-0199', text: ' Olá ' }
const TEMPLATE = {
  name: 'order_ready',
  language: 'pt_BR',
  components: [{ type: 'BODY', text: 'Olá, {{1}}' }],
} as KnownTemplate

test('a recipient is a whole number, as people write it', () => {
  assert.equal(readRecipient('+55 (11) 95550-0199'), '5511955500199')
  for (const typed of ['', 'Bia', '1234567', '1234567890123456']) assert.equal(readRecipient(typed), undefined)
})

test('a text is sent as it was typed, and not while it is empty or has no recipient', () => {
  assert.deepEqual(toBody(TEXT), { to: '5511955500199', type: 'text', text: { body: ' Olá ' } })
  for (const draft of [
    { ...TEXT, text: ' \n' },
    { ...TEXT, to: '55' },
  ])
    assert.equal(toBody(draft), undefined)
})

test('a template is sent once each of its variables has a value', () => {
  const draft: Draft = { ...TEXT, kind: 'template', template: TEMPLATE, values: {} }

  assert.equal(toBody(draft), undefined)
  assert.equal(toBody({ ...draft, template: undefined }), undefined)
  const body = toBody({ ...draft, values: { 'body-1': 'Bia' } })
  assert.equal(body?.type, 'template')
})

test('each key of an attempt to send is another one', () => {
  const keys = Array.from({ length: 100 }, createKey)

  assert.equal(new Set(keys).size, 100)
  for (const key of keys) assert.match(key, /^[0-9a-f]{32}$/)
})
