import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KnownTemplate } from '../../../../api/template-fields.ts'
import { createKey, type Draft, EMPTY_DRAFT, readRecipient, toPath, toRequest } from './draft.ts'

const TEXT: Draft = { ...EMPTY_DRAFT, to: '+55 (11) 95550-0199', text: ' Olá ' }
const TEMPLATE = {
  name: 'order_ready',
  language: 'pt_BR',
  components: [{ type: 'BODY', text: 'Olá, {{1}}' }],
} as KnownTemplate

test('a recipient is a whole number as people write it, or a user id', () => {
  assert.equal(readRecipient('+55 (11) 95550-0199'), '5511955500199')
  assert.equal(readRecipient(' BR.1349120865 '), 'BR.1349120865')
  for (const typed of [
    '',
    'Bia',
    '1234567',
    '1234567890123456',
    '0511955500199',
    'br.1349120865',
    'Bia 5511955500199',
  ]) {
    assert.equal(readRecipient(typed), undefined, typed)
  }
})

test('a text is sent as it was typed, and not while it is empty or has no recipient', () => {
  const body = { to: '5511955500199', type: 'text', text: { body: ' Olá ' } }
  assert.deepEqual(toRequest(TEXT), { route: 'phone', body })
  for (const draft of [
    { ...TEXT, text: ' \n' },
    { ...TEXT, to: '55' },
  ])
    assert.equal(toRequest(draft), undefined)
})

test('a message to a user id names it in the path, and not in the body', () => {
  const request = toRequest({ ...TEXT, to: 'BR.1349120865' })

  assert.deepEqual(request, { route: 'contact', id: 'BR.1349120865', body: { type: 'text', text: { body: ' Olá ' } } })
  assert.equal(toPath('c1', request), '/api/v1/channels/c1/contacts/BR.1349120865/messages')
  assert.equal(toPath('c1', undefined), '/api/v1/channels/c1/messages')
})

test('a message to a group names it in the path, and dots alone are no id', () => {
  const request = toRequest({ ...TEXT, isToGroup: true, to: ' Y2FwaV9ncm91cA== ' })

  assert.deepEqual(request?.body, { type: 'text', text: { body: ' Olá ' } })
  assert.equal(toPath('c1', request), '/api/v1/channels/c1/groups/Y2FwaV9ncm91cA==/messages')
  for (const to of ['', '..', 'our group']) assert.equal(toRequest({ ...TEXT, isToGroup: true, to }), undefined, to)
})

test('a marketing template to a phone number goes by the Marketing Messages API if a person chooses so', () => {
  const template = { ...TEMPLATE, category: 'MARKETING' }
  const draft: Draft = { ...TEXT, kind: 'template', template, values: { 'body-1': 'Bia' }, isByMarketing: true }

  assert.equal(toPath('c1', toRequest(draft)), '/api/v1/channels/c1/marketing-messages')
  for (const other of [
    { isByMarketing: false },
    { template: TEMPLATE },
    { to: 'BR.1349120865' },
    { isToGroup: true, to: 'Y2FwaV9ncm91cA==' },
  ]) {
    assert.notEqual(toRequest({ ...draft, ...other })?.route, 'marketing')
  }
})

test('a template is sent once each of its variables has a value', () => {
  const draft: Draft = { ...TEXT, kind: 'template', template: TEMPLATE, values: {} }

  assert.equal(toRequest(draft), undefined)
  assert.equal(toRequest({ ...draft, template: undefined }), undefined)
  const request = toRequest({ ...draft, values: { 'body-1': 'Bia' } })
  assert.equal(request?.body.type, 'template')
})

test('each key of an attempt to send is another one', () => {
  const keys = Array.from({ length: 100 }, createKey)

  assert.equal(new Set(keys).size, 100)
  for (const key of keys) assert.match(key, /^[0-9a-f]{32}$/)
})
