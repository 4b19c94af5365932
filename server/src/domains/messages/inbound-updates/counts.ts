import type { CountedMessage, MessageCounter } from '../../statistics/counts/message-count.ts'
import { hasReached, type OutboundStatus } from '../status.ts'
import { type AppliedUpdate, isPlaceholder, type Row } from './apply.ts'

/**
 * What an update counts as. A message counts once in each counter: when it is received, when it is known that the upstream
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
