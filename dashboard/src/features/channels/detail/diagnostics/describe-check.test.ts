import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Check } from '@hubline/sdk/console'
import { texts as spanish } from '../../../../lib/hub-texts/hub-es.ts'
import { describeCheck } from './describe-check.ts'

const REFUSED: Check = {
  id: 'number',
  status: 'failing',
  reason: 'number_not_connected',
  parameters: { status: 'MIGRATED' },
  message: 'In English.',
  remedy: 'Do this.',
}

test('a check is the sentence of its reason in the language of the reader, with its remedy', () => {
  assert.deepEqual(describeCheck(REFUSED, spanish), {
    message: 'El número está MIGRATED en WhatsApp.',
    remedy: 'Crea un enlace de conexión nuevo y pide a quien tiene el número que lo use.',
  })
})

test('a check without a remedy gets none, and one of a newer hub has the words of the hub', () => {
  assert.equal(describeCheck({ ...REFUSED, remedy: null }, spanish).remedy, null)
  assert.deepEqual(describeCheck({ ...REFUSED, reason: 'of_a_newer_hub' }, spanish), {
    message: 'In English.',
    remedy: 'Do this.',
  })
  assert.equal(describeCheck(REFUSED, undefined).message, 'In English.')
})
