import { computeRetentionDays, DELIVERY_DAYS_MAX } from '../../domains/webhooks/retention/retention-days.ts'
import { UsageError } from './usage-error.ts'

const SECONDS_A_DAY = 86_400
const PER_SECOND_MAX = 100_000
const DAYS_MAX = 3650

/**
 * The writes of an event (a callback with a message of 1 KiB, delivered to one endpoint) and of a send of the API with a short text
 * to the write-ahead log, in bytes, with the copies of pages after a checkpoint. `npm run bench -- disk` measures them.
 */
const WAL_BYTES = { event: 11_000, send: 6000 }
/** The bytes kept of them in the message log, and beside it: events, deliveries, attempts and callbacks. */
const LOGGED_BYTES = { event: 1800, send: 1750 }
const KEPT_BYTES = { event: 5450, send: 1200 }

/** Calls of fsync by events and sends a second. Each commits twice, and concurrent commits share an fsync: under full load fewer were measured than here. */
const FSYNCS = [
  { perSecond: 0, fsyncs: 0 },
  { perSecond: 100, fsyncs: 160 },
  { perSecond: 1000, fsyncs: 240 },
]

/** Free space of a fifth, for the tables that are emptied and filled again, and for indexes that are built. */
const HEADROOM = 1.25
/** PostgreSQL keeps this much of the write-ahead log by default, beside what a standby or an archive still needs. */
const WAL_KEPT_BYTES = 2 ** 30

export type SizingLoad = { eventsPerSecond: number; sendsPerSecond: number; eventsDays: number; messagesDays: number }

/** The size and the load of a disk under steady traffic. */
export function computeSizing({ eventsPerSecond, sendsPerSecond, eventsDays, messagesDays }: SizingLoad) {
  const sum = (bytes: { event: number; send: number }) => eventsPerSecond * bytes.event + sendsPerSecond * bytes.send
  const { payloads } = computeRetentionDays(eventsDays)
  const kept = sum(LOGGED_BYTES) * messagesDays + sum(KEPT_BYTES) * payloads
  const keptBytes = Math.round(kept * SECONDS_A_DAY)
  return {
    message_days: messagesDays,
    event_days: payloads,
    wal_bytes_per_day: Math.round(sum(WAL_BYTES) * SECONDS_A_DAY),
    wal_bytes_per_second: Math.round(sum(WAL_BYTES)),
    kept_bytes: keptBytes,
    disk_bytes: Math.round(keptBytes * HEADROOM) + WAL_KEPT_BYTES,
    fsyncs_per_second: Math.round(readFsyncs(eventsPerSecond + sendsPerSecond)),
  }
}

/** Beyond the last measurement as many as there. */
function readFsyncs(perSecond: number): number {
  const next = FSYNCS.findIndex((point) => point.perSecond >= perSecond)
  const [from, to] = [FSYNCS[next - 1], FSYNCS[next]]
  if (!to) return FSYNCS.at(-1)?.fsyncs ?? 0
  if (!from) return to.fsyncs
  const part = (perSecond - from.perSecond) / (to.perSecond - from.perSecond)
  return from.fsyncs + part * (to.fsyncs - from.fsyncs)
}

/** The load that the options of the command describe. */
export function readSizingLoad(
  values: Record<string, string | undefined>,
  kept: { eventsDays: number; messagesDays: number },
): SizingLoad {
  const days = values['retention-days']
  const given = days === undefined ? undefined : readDays(days)
  return {
    eventsPerSecond: readNumber('events-per-second', values['events-per-second'] ?? '', PER_SECOND_MAX),
    sendsPerSecond: readNumber('sends-per-second', values['sends-per-second'] ?? '0', PER_SECOND_MAX),
    eventsDays: given ?? kept.eventsDays,
    messagesDays: given ?? kept.messagesDays,
  }
}

/** One number for both retentions, so the minimum is that of `RETENTION_EVENTS_DAYS`. */
function readDays(text: string): number {
  const days = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN
  if (days >= DELIVERY_DAYS_MAX && days <= DAYS_MAX) return days
  throw new UsageError(`--retention-days must be a whole number from ${DELIVERY_DAYS_MAX} to ${DAYS_MAX}`)
}

function readNumber(option: string, text: string, max: number): number {
  const value = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN
  if (!(value <= max)) throw new UsageError(`--${option} must be a number from 0 to ${max}`)
  return value
}
