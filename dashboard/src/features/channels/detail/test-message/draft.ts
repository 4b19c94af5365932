import type { AddressedMessageBody, MarketingMessageBody, MessageBody } from '@hubline/sdk/console'
import { isMarketing, type KnownTemplate, listFields, toMessageTemplate } from '../../../../api/template-fields.ts'
import { isUserId } from '../../../../lib/user-id.ts'

export type Draft = {
  /** The field of the recipient has the id of a group in place of a person. */
  isToGroup: boolean
  to: string
  kind: 'text' | 'template'
  text: string
  template: KnownTemplate | undefined
  values: Record<string, string>
  /** Sends a marketing template by the Marketing Messages API. */
  isByMarketing: boolean
}

export const EMPTY_DRAFT: Draft = {
  isToGroup: false,
  to: '',
  kind: 'text',
  text: '',
  template: undefined,
  values: {},
  isByMarketing: false,
}

/** Dots alone would make it the path of another operation. */
const GROUP_ID = /^(?!\.+$)[A-Za-z0-9@.=_-]{1,128}$/

/** A user id, or the digits of a phone number as the hub takes them; undefined while it is neither. */
export function readRecipient(typed: string): string | undefined {
  const text = typed.trim()
  if (isUserId(text)) return text
  const digits = text.replace(/[\s().+-]/g, '')
  return /^[1-9]\d{7,14}$/.test(digits) ? digits : undefined
}

/** The field of the recipient has the id of a group, or a person; undefined while it is neither. */
export function readTarget({ isToGroup, to }: Draft): string | undefined {
  if (!isToGroup) return readRecipient(to)
  return GROUP_ID.test(to.trim()) ? to.trim() : undefined
}

/** The Marketing Messages API takes marketing templates to phone numbers alone. */
export function canGoByMarketing({ isToGroup, to, kind, template }: Draft): boolean {
  return kind === 'template' && !isToGroup && !isUserId(to.trim()) && template !== undefined && isMarketing(template)
}

/** The request of a test. A phone number is in its body; a user id and the id of a group are in its path. */
export type TestRequest =
  | { route: 'phone'; body: MessageBody }
  | { route: 'marketing'; body: MarketingMessageBody }
  | { route: 'contact'; id: string; body: AddressedMessageBody }
  | { route: 'group'; id: string; body: AddressedMessageBody }

/** Undefined while something is missing. */
export function toRequest(draft: Draft): TestRequest | undefined {
  const to = readTarget(draft)
  const body = toBody(draft)
  if (to === undefined || body === undefined) return undefined
  if (draft.isToGroup) return { route: 'group', id: to, body }
  if (isUserId(to)) return { route: 'contact', id: to, body }
  if (body.type === 'template' && draft.isByMarketing && canGoByMarketing(draft)) {
    return { route: 'marketing', body: { to, ...body } }
  }
  return { route: 'phone', body: { to, ...body } }
}

export function toPath(channelId: string, request: TestRequest | undefined): string {
  const channel = `/api/v1/channels/${channelId}`
  if (request?.route === 'contact') return `${channel}/contacts/${request.id}/messages`
  if (request?.route === 'group') return `${channel}/groups/${request.id}/messages`
  return `${channel}/${request?.route === 'marketing' ? 'marketing-messages' : 'messages'}`
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
