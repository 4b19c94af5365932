import type { EventPayloads } from '@hubline/sdk'

export type EventKind = keyof EventPayloads

/** As a record, so that the compiler finds a kind that is missing here. */
const KINDS: Record<EventKind, true> = {
  'channel.created': true,
  'channel.connected': true,
  'channel.degraded': true,
  'channel.disconnected': true,
  'message.received': true,
  'message.sent': true,
  'message.status': true,
  'message.echo': true,
  'template.status': true,
  'phone.quality': true,
  'account.update': true,
  'upstream.raw': true,
  'webhook.test': true,
}
export const EVENT_KINDS = Object.keys(KINDS) as EventKind[]
