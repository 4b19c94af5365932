import type { Webhook } from '@hubline/sdk'
import { COMPAT_EXAMPLES, EVENT_EXAMPLES } from './generated/events.gen.ts'

export type EventKind = keyof typeof EVENT_EXAMPLES
export type PayloadMode = Webhook['payload_mode']
export type DeliveryFormat = Webhook['delivery_format']

export const EVENT_KINDS = Object.keys(EVENT_EXAMPLES) as EventKind[]

/** The kinds in the order in which they are shown. */
export const EVENT_GROUPS = [
  { name: 'message', has: (kind: EventKind) => /^(?:message|history|payment)\./.test(kind) },
  { name: 'contact', has: (kind: EventKind) => /^(?:contact|call|group)\./.test(kind) },
  { name: 'channel', has: (kind: EventKind) => kind.startsWith('channel.') },
  { name: 'other', has: (kind: EventKind) => /^(?:template|flow|phone|account|cost)\./.test(kind) },
  { name: 'raw', has: (kind: EventKind) => /^(?:upstream|endpoint|webhook)\./.test(kind) },
] as const

export function isEventKind(name: unknown): name is EventKind {
  return typeof name === 'string' && Object.hasOwn(EVENT_EXAMPLES, name)
}

/** Returns true if an endpoint of a mode gets a kind at all. */
export function isInMode(kind: EventKind, mode: PayloadMode): boolean {
  if (mode === 'normalized') return kind !== 'upstream.raw'
  return kind === 'upstream.raw' || kind === 'webhook.test' || kind.startsWith('channel.')
}

/** The body of an event. The compat format has its own for the connection of a channel. */
export function findSample(kind: EventKind, format: DeliveryFormat): unknown {
  const compat = format === 'compat' ? (COMPAT_EXAMPLES as Record<string, unknown>)[kind] : undefined
  return compat ?? EVENT_EXAMPLES[kind]
}

/** Returns true if an endpoint gets events of a kind now. */
export function isSubscribed({ status, events, payload_mode }: Webhook, kind: EventKind): boolean {
  return status === 'active' && isInMode(kind, payload_mode) && (events.length === 0 || events.includes(kind))
}
