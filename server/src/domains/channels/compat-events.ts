import type { EventKind } from '../events/catalog.ts'

export const COMPAT_EVENTS = [
  'channel_connected',
  'channel_auto_imported',
  'channel_disconnected',
  'event_received',
] as const
export type CompatEvent = (typeof COMPAT_EVENTS)[number]

/** The event kinds behind each name of the compatibility mode. */
const COMPAT_EVENT_KINDS: Record<CompatEvent, readonly EventKind[]> = {
  channel_connected: ['channel.connected'],
  channel_auto_imported: ['channel.created'],
  channel_disconnected: ['channel.disconnected', 'channel.degraded'],
  event_received: ['upstream.raw'],
}

/** An empty list means all events, as in an endpoint. */
export function toEventTypes(events: readonly CompatEvent[] = []): EventKind[] {
  return [...new Set(events.flatMap((event) => COMPAT_EVENT_KINDS[event]))]
}
