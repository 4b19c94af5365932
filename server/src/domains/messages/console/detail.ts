import { isObject } from '../../../kernel/json/values.ts'
import { MEDIA_TYPES } from '../../../upstream/files/media.ts'
import { toConsoleMessage } from './entry.ts'
import { explainUpstreamError } from './explanations.ts'
import type { ConsoleMessageDetail } from './schemas.ts'
import type { DetailRow } from './store.ts'

type Outcome = NonNullable<ConsoleMessageDetail['idempotency']>['outcome']

export function toDetail(
  row: DetailRow,
  idempotencyKey: string | undefined,
): Omit<ConsoleMessageDetail, 'deliveries' | 'deliveries_being_queued' | 'paused_endpoints'> {
  const { error, pricing, has_content } = row
  return {
    ...toConsoleMessage(row),
    error: error && {
      code: error.code,
      title: error.title,
      details: error.details,
      explanation: explainUpstreamError(error.code),
    },
    timeline: buildTimeline(row),
    pricing,
    idempotency: idempotencyKey === undefined ? null : { key: idempotencyKey, outcome: findOutcome(row) },
    has_content,
    has_media: findMediaId(row) !== null,
  }
}

/** The statuses with their times, in the order of the times. The first is when the hub took the message. */
function buildTimeline(row: DetailRow) {
  const first = row.direction === 'inbound' ? 'received' : row.upstream_message_id === null ? 'sending' : 'accepted'
  const later = [
    { status: 'sent', at: row.sent_at },
    { status: 'delivered', at: row.delivered_at },
    { status: 'read', at: row.read_at },
    { status: 'failed', at: row.failed_at },
  ]
  const known = later.flatMap(({ status, at }) => (at === null ? [] : [{ status, at }]))
  return [{ status: first, at: row.created_at }, ...known.toSorted((a, b) => (a.at < b.at ? -1 : 1))]
}

function findOutcome({ status, upstream_message_id }: DetailRow): Outcome {
  if (upstream_message_id !== null) return 'sent'
  if (status === 'sending') return 'in_progress'
  return status === 'failed' ? 'refused' : 'unknown'
}

/** The id of the file that the upstream has of a message; null if there is none, or only a link. */
export function findMediaId({ type, content }: { type: string; content: string | null }): string | null {
  if (!MEDIA_TYPES.includes(type) || content === null) return null
  const media: unknown = JSON.parse(content)
  const id = isObject(media) ? media.id : null
  return typeof id === 'string' && /^[0-9]{1,32}$/.test(id) ? id : null
}
