import type { EventKind } from '../events/catalog.ts'

export const COMPAT_EVENTS = [
  'channel_connected',
  'channel_auto_imported',
  'channel_disconnected',
  'event_received',
] as const
type CompatEvent = (typeof COMPAT_EVENTS)[number]

/** The event kind behind each name of the compatibility mode. */
const COMPAT_EVENT_KINDS: Record<CompatEvent, EventKind> = {
  channel_connected: 'channel.connected',
  channel_auto_imported: 'channel.created',
  channel_disconnected: 'channel.disconnected',
  event_received: 'upstream.raw',
}

/**
 * An empty list means all events, as in an endpoint. A degraded channel is reported as connected or as disconnected, so
 * channel.degraded is only for a receiver that asked for both.
 */
export function toEventTypes(events: readonly CompatEvent[] = []): EventKind[] {
  const kinds = events.map((event) => COMPAT_EVENT_KINDS[event])
  const wantsDegraded = events.includes('channel_connected') && events.includes('channel_disconnected')
  return [...new Set<EventKind>([...kinds, ...(wantsDegraded ? (['channel.degraded'] as const) : [])])]
}
