import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseExact } from '../../../kernel/json/exact.ts'
import type { JsonObject } from '../../../kernel/json/values.ts'
import { isReceipt, toMessageDraft } from './message-draft.ts'

for (const [to, kept] of [
  ['5511999990000', '5511999990000'],
  ['+55 (11) 99999-0000', '5511999990000'],
  ['Y2FwaV9ncm91cDoxMjM=', 'Y2FwaV9ncm91cDoxMjM='],
  ['', ''],
] as const) {
  test(`a message to ${JSON.stringify(to)} is logged with the recipient ${JSON.stringify(kept)}`, () => {
    assert.equal(toMessageDraft({ to }).to, kept)
  })
}

test('a recipient may be a JSON number', () => {
  assert.equal(toMessageDraft(parseExact('{"to":5511999990000}') as JsonObject).to, '5511999990000')
})

test('`recipient` is logged as a user id, unless there is a `to`', () => {
  const { to, userId } = toMessageDraft({ recipient: 'BR.1349' })
  const both = toMessageDraft({ to: '5511999990000', recipient: 'BR.1349' })

  assert.deepEqual([to, userId], [null, 'BR.1349'])
  assert.deepEqual([both.to, both.userId], ['5511999990000', null])
})

test('a message without a type, or with null, is a text, and the content is the member named by the type', () => {
  assert.deepEqual(
    [toMessageDraft({ text: { body: 'x' } }).type, toMessageDraft({ text: { body: 'x' } }).content],
    ['text', { body: 'x' }],
  )
  assert.equal(toMessageDraft({ type: null, text: { body: 'x' } }).type, 'text')
  assert.deepEqual(toMessageDraft({ type: 'image', image: { id: '1' }, text: {} }).content, { id: '1' })
  assert.equal(toMessageDraft({ type: 'image' }).content, null)
})

for (const type of [5, {}, '', 'a b', 'x'.repeat(65), '__proto__.x']) {
  test(`the type ${JSON.stringify(type)} is logged as unknown`, () => {
    assert.deepEqual([toMessageDraft({ type }).type, toMessageDraft({ type }).content], ['unknown', null])
  })
}

test('a type that names an inherited property has no content', () => {
  assert.equal(toMessageDraft({ type: 'constructor' }).content, null)
})

for (const [callbackData, kept] of [
  ['campaign-1', 'campaign-1'],
  ['x'.repeat(512), 'x'.repeat(512)],
  ['x'.repeat(513), null],
  ['', null],
  [undefined, null],
  [{ a: 1 }, null],
] as const) {
  test(`callback data of ${JSON.stringify(callbackData)?.slice(0, 20)} is ${kept === null ? 'ignored' : 'kept'}`, () => {
    assert.equal(toMessageDraft({ biz_opaque_callback_data: callbackData }).callbackData, kept)
  })
}

test('a receipt has a status and no recipient', () => {
  assert.equal(isReceipt({ status: 'read', message_id: 'wamid.x' }), true)
  assert.equal(isReceipt({ to: '1', type: 'text' }), false)
  assert.throws(() => isReceipt({ status: 'read', to: '1' }), { code: 'INVALID_REQUEST' })
  assert.equal(isReceipt({ status: null, recipient: 'BR.1' }), false)
})
