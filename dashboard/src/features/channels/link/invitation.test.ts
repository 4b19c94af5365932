import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setReader } from '../../../../test/reader.ts'
import { writeInvitation } from './invitation.ts'

const INVITATION = { name: 'Padaria São João', expiresAt: '2026-11-18T02:05:00Z' }

test('an invitation says in the language of its reader until when the link is valid', (t) => {
  setReader(t, { timeZone: 'America/Sao_Paulo' })

  const portuguese = writeInvitation('pt-BR', INVITATION)
  const english = writeInvitation('en', INVITATION)
  const spanish = writeInvitation('es', INVITATION)

  assert.match(portuguese, /WhatsApp de Padaria São João .* até 17 de novembro às 23:05 e/)
  assert.match(english, /WhatsApp of Padaria São João .* until November 17, 23:05, and/)
  assert.match(spanish, /WhatsApp de Padaria São João .* hasta el 17 de noviembre a las 23:05 y/)
})

test('midnight is 00:00', (t) => {
  setReader(t, {})
  assert.match(writeInvitation('en', { ...INVITATION, expiresAt: '2026-11-18T00:00:00Z' }), /November 18, 00:00/)
})
