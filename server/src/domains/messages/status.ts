/**
 * The life of a message.
 *
 * Inbound messages are `received`, and stay so.
 *
 * Outbound ones climb this ladder and never step down, in any order of the
 * upstream's callbacks:
 *
 *   sending    written down, the upstream is being asked
 *   unknown    asked, and the outcome is not known
 *   accepted   the upstream took it
 *   sent       it left for the recipient
 *   failed     it will not arrive
 *   delivered  it arrived; a failure reported before was not the last word
 *   read       it was read, or its voice was played
 *
 * Each of the upstream's statuses has its effect once; a repeat changes nothing.
 * Times are the upstream's; of two for one step the earlier counts.
 */
const LADDER = ['sending', 'unknown', 'accepted', 'sent', 'failed', 'delivered', 'read'] as const

export type OutboundStatus = (typeof LADDER)[number]
export type MessageStatus = OutboundStatus | 'received'

/** The upstream's statuses, the step that each means, and the bit that records its arrival. */
const REPORTS = {
  sent: { step: 'sent', bit: 1, at: 'sent_at' },
  delivered: { step: 'delivered', bit: 2, at: 'delivered_at' },
  read: { step: 'read', bit: 4, at: 'read_at' },
  played: { step: 'read', bit: 8, at: 'read_at' },
  failed: { step: 'failed', bit: 16, at: 'failed_at' },
} as const satisfies Record<string, { step: OutboundStatus; bit: number; at: string }>

export type ReportedStatus = keyof typeof REPORTS

export function isReportedStatus(text: string): text is ReportedStatus {
  return Object.hasOwn(REPORTS, text)
}

export type MessageError = {
  code: number | null
  title: string | null
  details: string | null
  error_subcode?: number | null
  fbtrace_id?: string | null
}

export type Report = {
  status: ReportedStatus
  at: string
  error: MessageError | null
  pricing: object | null
}

export type Progress = {
  status: MessageStatus
  statuses_seen: number
  error: MessageError | null
  pricing: object | null
  sent_at: string | null
  delivered_at: string | null
  read_at: string | null
  failed_at: string | null
}

/** The message after a report, or undefined when the report arrived before. */
export function applyReport<T extends Progress>(message: T, report: Report): T | undefined {
  const { step, bit, at } = REPORTS[report.status]
  if (message.status === 'received' || (message.statuses_seen & bit) !== 0) return undefined
  return {
    ...message,
    statuses_seen: message.statuses_seen | bit,
    status: toHigherStatus(message.status, step),
    error: report.error ?? message.error,
    pricing: message.pricing ?? report.pricing,
    [at]: earlier(message[at], report.at),
  }
}

/** The later of two steps of the ladder. */
export function toHigherStatus(a: OutboundStatus, b: OutboundStatus): OutboundStatus {
  return LADDER.indexOf(a) >= LADDER.indexOf(b) ? a : b
}

function earlier(a: string | null, b: string): string {
  return a !== null && a < b ? a : b
}
