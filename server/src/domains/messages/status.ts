/**
 * The statuses of a message.
 *
 * Inbound messages are `received` and stay so.
 *
 * Outbound messages only move forward in this order, in any order of the
 * upstream's callbacks:
 *
 *   sending    reserved, and the upstream call may be running
 *   unknown    the outcome of the upstream call is not known
 *   accepted   the upstream accepted the message
 *   sent       the upstream sent it to the recipient
 *   failed     the upstream reported a failure
 *   delivered  it arrived, even if a failure was reported before
 *   read       the recipient read it or played its voice
 *
 * Each of the upstream's statuses is applied once; a repeat changes nothing.
 * Times are the upstream's; of two times for one status the earlier counts.
 * A message that was delivered or read did not fail: it has neither the error nor the
 * time of a failure, whichever was reported first.
 */
export const OUTBOUND_STATUSES = ['sending', 'unknown', 'accepted', 'sent', 'failed', 'delivered', 'read'] as const

export type OutboundStatus = (typeof OUTBOUND_STATUSES)[number]
export const MESSAGE_STATUSES = ['received', ...OUTBOUND_STATUSES] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

export const DIRECTIONS = ['inbound', 'outbound'] as const
export type Direction = (typeof DIRECTIONS)[number]

/** For each of the upstream's statuses: the message's status, the bit in `statuses_seen`, and the column of its time. */
const REPORTS = {
  sent: { to: 'sent', bit: 1, at: 'sent_at' },
  delivered: { to: 'delivered', bit: 2, at: 'delivered_at' },
  read: { to: 'read', bit: 4, at: 'read_at' },
  played: { to: 'read', bit: 8, at: 'read_at' },
  failed: { to: 'failed', bit: 16, at: 'failed_at' },
} as const satisfies Record<string, { to: OutboundStatus; bit: number; at: string }>

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

/**
 * Applies a report. Undefined if the message is inbound or the status was applied before, unless it `repeats`: in a group
 * each member has the same statuses.
 */
export function applyReport<T extends Progress>(message: T, report: Report, { repeats = false } = {}): T | undefined {
  const { to, bit, at } = REPORTS[report.status]
  if (message.status === 'received' || (!repeats && (message.statuses_seen & bit) !== 0)) return undefined
  const status = pickLaterStatus(message.status, to)
  const progress = {
    ...message,
    statuses_seen: message.statuses_seen | bit,
    status,
    error: report.error ?? message.error,
    pricing: message.pricing ?? report.pricing,
    [at]: pickEarlierTime(message[at], report.at),
  }
  return isFailureRefuted(progress) ? { ...progress, error: null, failed_at: null } : progress
}

/** Returns true if a message arrived although a failure of it was reported. */
export function isFailureRefuted({ status, statuses_seen }: Pick<Progress, 'status' | 'statuses_seen'>): boolean {
  return hasReached(status, 'delivered') && (statuses_seen & REPORTS.failed.bit) !== 0
}

/** Returns true if an outbound message has come as far as a status, or further. */
export function hasReached(status: MessageStatus, threshold: OutboundStatus): boolean {
  return status !== 'received' && OUTBOUND_STATUSES.indexOf(status) >= OUTBOUND_STATUSES.indexOf(threshold)
}

/** Returns the status that comes later in the order. */
export function pickLaterStatus(a: OutboundStatus, b: OutboundStatus): OutboundStatus {
  return OUTBOUND_STATUSES.indexOf(a) >= OUTBOUND_STATUSES.indexOf(b) ? a : b
}

function pickEarlierTime(a: string | null, b: string): string {
  return a !== null && a < b ? a : b
}
