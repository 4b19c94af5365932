import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCallAction } from './call-action.ts'

const CALL = { messaging_product: 'whatsapp', call_id: 'wacid.ABC', action: 'reject' }

for (const action of ['reject', 'terminate']) {
  test(`a call can be ended by ${action}, and nothing but the three members goes on`, () => {
    const body = { ...CALL, action, session: { sdp: 'v=0' }, to: '1', biz_opaque_callback_data: 'x' }

    assert.deepEqual(parseCallAction(body), { ...CALL, action })
  })
}

for (const change of [
  ...[
    { action: 'accept' },
    { action: 'pre_accept' },
    { action: 'connect' },
    { action: 'REJECT' },
    { action: ['reject'] },
  ],
  ...[{ action: undefined }, { call_id: undefined }, { call_id: '' }, { call_id: 5 }, { call_id: 'x'.repeat(513) }],
  ...[{ messaging_product: undefined }, { messaging_product: 'facebook' }],
]) {
  test(`a call with ${JSON.stringify(change).slice(0, 40)} is invalid`, () => {
    assert.throws(() => parseCallAction({ ...CALL, ...change }), { code: 'INVALID_CALL' })
  })
}
