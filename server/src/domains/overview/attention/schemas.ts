import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, Timestamp } from '../../../kernel/http/schemas.ts'

/** The most urgent first. */
export const ATTENTION_KINDS = [
  'subscription_suspended',
  'channel_disconnected',
  'endpoint_paused',
  'channel_degraded',
  'unknown_sends',
  'subscription_past_due',
  'template_rejected',
  'quota',
  'link_expired',
] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]

export const AttentionItem = Type.Object({
  kind: oneOf(ATTENTION_KINDS),
  target: Type.Object({
    type: oneOf(['channel', 'webhook', 'template', 'organization']),
    id: Type.String(),
    name: nullable(Type.String()),
  }),
  since: nullable(Timestamp),
  details: Type.Record(Type.String(), Type.Unknown()),
})
export type AttentionItem = Static<typeof AttentionItem>

export const AttentionList = dataOf({ attention: Type.Array(AttentionItem) })
