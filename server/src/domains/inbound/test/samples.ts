import { AT } from './fixture.ts'

export const PERSON = '5511987654321'
export const USER_ID = 'BR.1a2b3c4d5e6f'
export const PARENT_ID = 'BR.ENT.9z8y7x6w5v4u'

/** A contact as the upstream describes the sender of a message. */
export const CONTACT = { profile: { name: 'Ana Souza' }, wa_id: PERSON, user_id: USER_ID }

export function buildText(id: string, more: object = {}) {
  return { from: PERSON, id, timestamp: String(AT), type: 'text', text: { body: 'Bom dia!' }, ...more }
}

export function buildStatus(id: string, status: string, more: object = {}) {
  return { id, status, timestamp: String(AT), recipient_id: PERSON, ...more }
}

export function buildEcho(from: string, id: string, more: object = {}) {
  return { from, to: PERSON, id, timestamp: String(AT), type: 'text', text: { body: 'Já vai!' }, ...more }
}
