import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeErased } from './erased-messages.ts'

test('contacts that another message names stay, also in another spelling of the number', () => {
  const value = {
    contacts: [{ wa_id: '551176543210' }, { wa_id: '556384622450' }, { wa_id: '5511900001111' }],
    messages: [
      { id: 'wamid.erased', from: '5511976543210' },
      { id: 'wamid.kept', from: '5563984622450' },
    ],
  }

  assert.deepEqual(removeErased(value, new Set(['wamid.erased'])), {
    contacts: [{ wa_id: '556384622450' }],
    messages: [{ id: 'wamid.kept', from: '5563984622450' }],
  })
})
