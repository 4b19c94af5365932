import { type PricedMessage, toPricedMessage } from '../../costs/volumes/priced-message.ts'
import type { CountedMessage, MessageCounter } from '../../statistics/counts/message-count.ts'
import { hasReached, type OutboundStatus } from '../status.ts'
import { type AppliedUpdate, type InboundUpdate, isPlaceholder, type Row, type StatusUpdate } from './apply.ts'

/**
 * Returns the counts of an update. A message counts once in each counter: when it is received, when it is known that the upstream
 * accepted it, and when it first comes as far as a status. A message that is read counts as delivered, whether that was
 * reported or not. Placeholders are not counted: the hub did not send those messages.
 */
export function countUpdate(before: Row | undefined, { row, events }: AppliedUpdate): CountedMessage {
  const kinds = events.map(({ kind }) => kind)
  const counters: MessageCounter[] = []
  if (kinds.includes('message.received')) counters.push('received')
  if (kinds.includes('message.sent')) counters.push('sent')
  if (before && !isPlaceholder(before)) {
    const isNew = (status: OutboundStatus) => !hasReached(before.status, status) && hasReached(row.status, status)
    if (row.status === 'failed' && isNew('failed')) counters.push('failed')
    if (isNew('delivered')) counters.push('delivered')
    if (isNew('read')) counters.push('read')
  }
  return { organizationId: row.organization_id, channelId: row.channel_id, counters, error: row.error }
}

/**
 * The message with its price, if this update is its first status that names one. Placeholders too: what another program
 * sent from the number costs as much.
 */
export function priceUpdate(before: Row | undefined, update: InboundUpdate, { row }: AppliedUpdate): PricedMessage[] {
  if (update.kind !== 'status' || row.pricing === null || (before && before.pricing !== null)) return []
  const { organizationId, channelId, at, contact } = update
  const userId = contact?.user_id ?? row.contact?.user_id ?? null
  return [toPricedMessage({ organizationId, channelId, at, number: findNumber(update, row), userId }, row.pricing)]
}

/** For a message to a group, returns the number of the member whom the status is about: the group itself has none. */
function findNumber({ to, participant, detail, contact }: StatusUpdate, row: Row): string | null {
  if (participant !== null || detail.recipient_type === 'group') return participant
  return to ?? contact?.wa_id ?? row.recipient
}
