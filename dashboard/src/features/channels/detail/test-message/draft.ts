import type { MessageBody } from '@hubline/sdk/console'
import { type KnownTemplate, listFields, toMessageTemplate } from './template-fields.ts'

export type Draft = {
  to: string
  kind: 'text' | 'template'
  text: string
  template: KnownTemplate | undefined
  values: Record<string, string>
}

export const EMPTY_DRAFT: Draft = { to: '', kind: 'text', text: '', template: undefined, values: {} }

/** Digits only, as the hub takes them; undefined while it is not a whole number. */
export function readRecipient(typed: string): string | undefined {
  const digits = typed.replace(/\D/g, '')
  return digits.length >= 8 && digits.length <= 15 ? digits : undefined
}

/** The body of the request; undefined while something is missing. */
export function toBody({ to: typed, kind, text, template, values }: Draft): MessageBody | undefined {
  const to = readRecipient(typed)
  if (to === undefined) return undefined
  if (kind === 'text') return text.trim() === '' ? undefined : { to, type: 'text', text: { body: text } }
  if (template === undefined || listFields(template).some(({ id }) => !values[id])) return undefined
  return { to, type: 'template', template: toMessageTemplate(template, values) }
}

/** As the SDK makes them. `randomUUID` is missing on a page without https. */
export function createKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
