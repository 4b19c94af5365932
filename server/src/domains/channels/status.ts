import type { EventKind } from '../events/catalog.ts'

/**
 * The life of a channel.
 *
 * `pending`: created, never connected. Connecting makes it `active`; a channel
 * that stays pending for days is archived.
 *
 * `active`: everything works.
 *
 * `degraded`: the number is registered, but part of the service is unavailable: the
 * subscription is lost, the account restricted, or the number flagged.
 *
 * `disconnected`: the credential is refused, the partner removed or the number
 * gone. Another channel may take its number, and connecting the same number again
 * makes it active.
 *
 * Only an explicit response about the credential, the number or the account changes
 * the status; a time-out or a 5xx does not. Deletion archives a channel in any
 * status, and an archived channel is 404.
 */
export const CHANNEL_STATUSES = ['pending', 'active', 'degraded', 'disconnected'] as const
export type ChannelStatus = (typeof CHANNEL_STATUSES)[number]

/** The event that announces a status. */
export const STATUS_EVENT: Record<Exclude<ChannelStatus, 'pending'>, EventKind> = {
  active: 'channel.connected',
  degraded: 'channel.degraded',
  disconnected: 'channel.disconnected',
}

export type StatusChange = { status: Exclude<ChannelStatus, 'pending'>; reason: string | null }

/** Maps the upstream's status of a number to the channel's; null for an unknown status. */
export function toStatusChange(numberStatus: string | null): StatusChange | null {
  if (numberStatus === null) return null
  return NUMBER_STATUS_CHANGES[numberStatus] ?? null
}

const NUMBER_STATUS_CHANGES: Record<string, StatusChange> = {
  CONNECTED: { status: 'active', reason: null },
  FLAGGED: { status: 'degraded', reason: 'number_flagged' },
  RESTRICTED: { status: 'degraded', reason: 'number_restricted' },
  RATE_LIMITED: { status: 'degraded', reason: 'number_rate_limited' },
  BANNED: { status: 'disconnected', reason: 'number_banned' },
  DELETED: { status: 'disconnected', reason: 'number_deleted' },
  MIGRATED: { status: 'disconnected', reason: 'number_migrated' },
  DISCONNECTED: { status: 'disconnected', reason: 'number_disconnected' },
}
