import type { EventKind } from '../events/catalogue.ts'

export const COMPAT_EVENTS = [
  'channel_connected',
  'channel_auto_imported',
  'channel_disconnected',
  'event_received',
] as const
export type CompatEvent = (typeof COMPAT_EVENTS)[number]

/** What the names of a compatible creation stand for. */
const KINDS: Record<CompatEvent, readonly EventKind[]> = {
  channel_connected: ['channel.connected'],
  channel_auto_imported: ['channel.created'],
  channel_disconnected: ['channel.disconnected', 'channel.degraded'],
  event_received: ['upstream.raw'],
}

/** None named means all, and so does an endpoint's empty list. */
export function eventTypesOf(events: readonly CompatEvent[] = []): EventKind[] {
  return [...new Set(events.flatMap((event) => KINDS[event]))]
}
