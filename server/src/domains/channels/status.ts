import type { EventKind } from '../events/catalogue.ts'

/**
 * The life of a channel.
 *
 * `pending`: created, never connected. Connecting makes it `active`; a channel
 * that stays pending for days is archived.
 *
 * `active`: the hub can do its whole job.
 *
 * `degraded`: the number is registered, but part of the job is not possible: the
 * subscription is lost, the account restricted, the number flagged.
 *
 * `disconnected`: the credential is refused, the partner removed or the number
 * gone. It yields its number to another channel, and comes back by connecting
 * the same number again.
 *
 * Only an explicit answer about the credential, the number or the account moves
 * a channel; a time-out or a 5xx says nothing about it. Deletion archives a
 * channel from any state, and an archived one is invisible.
 */
export const CHANNEL_STATUSES = ['pending', 'active', 'degraded', 'disconnected'] as const
export type ChannelStatus = (typeof CHANNEL_STATUSES)[number]

/** The event that tells of having come into a status. */
export const STATUS_EVENT: Record<Exclude<ChannelStatus, 'pending'>, EventKind> = {
  active: 'channel.connected',
  degraded: 'channel.degraded',
  disconnected: 'channel.disconnected',
}

export type Verdict = { status: Exclude<ChannelStatus, 'pending'>; reason: string | null }

/** What the upstream's word on a number means for the channel. An unknown word changes nothing. */
export function verdictOfNumber(numberStatus: string | null): Verdict | null {
  if (numberStatus === null) return null
  return NUMBER_VERDICTS[numberStatus] ?? null
}

const NUMBER_VERDICTS: Record<string, Verdict> = {
  CONNECTED: { status: 'active', reason: null },
  FLAGGED: { status: 'degraded', reason: 'number_flagged' },
  RESTRICTED: { status: 'degraded', reason: 'number_restricted' },
  RATE_LIMITED: { status: 'degraded', reason: 'number_rate_limited' },
  BANNED: { status: 'disconnected', reason: 'number_banned' },
  DELETED: { status: 'disconnected', reason: 'number_deleted' },
  MIGRATED: { status: 'disconnected', reason: 'number_migrated' },
  DISCONNECTED: { status: 'disconnected', reason: 'number_disconnected' },
}
