import type { AddressedMessageBody, MessageBody } from '@hubline/sdk/console'
import { type KnownTemplate, listFields, toMessageTemplate } from '../../../../api/template-fields.ts'
import { isUserId } from '../../../../lib/user-id.ts'

export type Draft = {
  to: string
  kind: 'text' | 'template'
  text: string
  template: KnownTemplate | undefined
  values: Record<string, string>
}

export const EMPTY_DRAFT: Draft = { to: '', kind: 'text', text: '', template: undefined, values: {} }

/** A user id, or the digits of a phone number as the hub takes them; undefined while it is neither. */
export function readRecipient(typed: string): string | undefined {
  const text = typed.trim()
  if (isUserId(text)) return text
  const digits = text.replace(/[\s().+-]/g, '')
  return /^[1-9]\d{7,14}$/.test(digits) ? digits : undefined
}

/** The request of a test: to a phone number, which is in the body, or to a user id, which is in the path. */
export type TestRequest = { userId: null; body: MessageBody } | { userId: string; body: AddressedMessageBody }

/** Undefined while something is missing. */
export function toRequest(draft: Draft): TestRequest | undefined {
  const to = readRecipient(draft.to)
  const body = toBody(draft)
  if (to === undefined || body === undefined) return undefined
  return isUserId(to) ? { userId: to, body } : { userId: null, body: { to, ...body } }
}

export function toPath(channelId: string, userId: string | null): string {
  return `/api/v1/channels/${channelId}${userId === null ? '' : `/contacts/${userId}`}/messages`
}

function toBody({ kind, text, template, values }: Draft): AddressedMessageBody | undefined {
  if (kind === 'text') return text.trim() === '' ? undefined : { type: 'text', text: { body: text } }
  if (template === undefined || listFields(template).some(({ id }) => !values[id])) return undefined
  return { type: 'template', template: toMessageTemplate(template, values) }
}

/** The SDK makes such keys too. `randomUUID` is missing on a page without https. */
export function createKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
