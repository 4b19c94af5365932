import type { Clock } from '../../../kernel/clock.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { notFound } from '../../../kernel/errors.ts'
import { listDays, listDaysSince } from '../../../kernel/time/time-zone.ts'
import { findOrganization } from '../../organizations/service.ts'
import { computePercentile, LATENCY_COLUMNS } from '../../statistics/counts/latency-bounds.ts'
import { MESSAGE_COUNTERS, type MessageCounter, NO_CODE, NO_MESSAGES } from '../../statistics/counts/message-count.ts'
import { QUEUED_MAX } from '../caps.ts'
import { computePeriod, type Period, type Range, toSeries } from '../period.ts'
import type {
  DailyStatisticsQuery,
  EndpointStatisticsQuery,
  ErrorFigure,
  MessageFigure,
  StatisticsQuery,
} from './schemas.ts'
import * as store from './store.ts'

const ERRORS_MAX = 20
const PERCENTILE = 0.95
const DAYS = 30
/** Counts are kept for as long. */
const DAYS_MAX = 90

export type Figures = ReturnType<typeof createFigures>

/** Figures of messages and deliveries, from counts that are kept as things happen: no log is read. */
export function createFigures({ sql, now }: { sql: Pool; now: Clock }) {
  return {
    async read(organizationId: string, { range, channel_id }: StatisticsQuery) {
      const channelId = channel_id ?? null
      if (channelId !== null && !(await store.channelExists(sql, { organizationId, id: channelId }))) {
        throw notFound('channel_not_found')
      }
      const period = computePeriod(range, now())
      const { since, previousSince, bucketSeconds } = period
      const current = { organizationId, from: since, since, bucketSeconds }
      const [messages, errors, attempts, queue] = await Promise.all([
        store.listMessageCounts(sql, { ...current, from: previousSince, channelId }),
        store.listErrorCounts(sql, { ...current, channelId }),
        store.listAttemptCounts(sql, current),
        store.measureQueue(sql, { organizationId, limit: QUEUED_MAX }),
      ])
      return {
        ...describePeriod(range, period),
        messages: toMessageFigures(period, messages),
        webhooks: { ...toAttemptFigure(period, attempts), ...queue },
        errors: toErrorFigures(period, errors),
      }
    },

    /** By the days of the organization's time zone. */
    async readDays(organizationId: string, { since }: DailyStatisticsQuery) {
      const organization = await findOrganization(sql, organizationId)
      if (!organization) throw notFound('organization_not_found')
      const { time_zone: timeZone } = organization
      const days =
        since === undefined
          ? listDays(timeZone, now(), DAYS)
          : listDaysSince(timeZone, new Date(since), now(), DAYS_MAX)
      const rows = await store.listDailyCounts(sql, { organizationId, dayStarts: days.map(({ start }) => start) })
      const counts = new Map(rows.map(({ day, ...counted }) => [day, counted]))
      return {
        time_zone: timeZone,
        days: days.map(({ date }, index) => ({ date, ...NO_MESSAGES, ...counts.get(index + 1) })),
      }
    },

    async readEndpoints(organizationId: string, { range }: EndpointStatisticsQuery) {
      const period = computePeriod(range, now())
      const { since, bucketSeconds } = period
      const rows = await store.listEndpointCounts(sql, { organizationId, from: since, since, bucketSeconds })
      const endpoints = [...Map.groupBy(rows, ({ endpoint_id }) => endpoint_id)].map(([endpoint_id, own]) => ({
        endpoint_id,
        ...toAttemptFigure(period, own),
      }))
      return { ...describePeriod(range, period), endpoints }
    },
  }
}

function describePeriod(range: Range, { bucketSeconds, since, until }: Period) {
  return { range, bucket_seconds: bucketSeconds, since: since.toISOString(), until: until.toISOString() }
}

type MessageRow = Awaited<ReturnType<typeof store.listMessageCounts>>[number]

function toMessageFigures(period: Period, rows: MessageRow[]): Record<MessageCounter, MessageFigure> {
  const figures = MESSAGE_COUNTERS.map((counter): [MessageCounter, MessageFigure] => {
    const values = rows.map((row) => ({ bucket: row.bucket, value: row[counter] }))
    const previous = values.filter(({ bucket }) => bucket < 0)
    const series = toSeries(period, values)
    return [counter, { total: sum(series), previous_total: sum(previous.map(({ value }) => value)), series }]
  })
  return Object.fromEntries(figures) as Record<MessageCounter, MessageFigure>
}

function toAttemptFigure(period: Period, rows: store.AttemptRow[]) {
  const series = toSeries(
    period,
    rows.map(({ bucket, succeeded }) => ({ bucket, value: succeeded })),
  )
  const failed_series = toSeries(
    period,
    rows.map(({ bucket, failed }) => ({ bucket, value: failed })),
  )
  const [succeeded, failed] = [sum(series), sum(failed_series)]
  const histogram = LATENCY_COLUMNS.map((column) => sum(rows.map((row) => row[column])))
  return {
    succeeded,
    failed,
    success_rate: succeeded + failed === 0 ? null : succeeded / (succeeded + failed),
    p95_ms: computePercentile(histogram, PERCENTILE),
    series,
    failed_series,
  }
}

/** The most frequent first. */
function toErrorFigures(period: Period, rows: store.ErrorRow[]): ErrorFigure[] {
  const groups = Map.groupBy(rows, ({ error_code, channel_id }) => `${channel_id} ${error_code}`)
  const figures = [...groups.values()].flatMap(([first, ...rest]) => {
    if (!first) return []
    const { error_code, channel_id, channel_name } = first
    const own = [first, ...rest]
    const series = toSeries(
      period,
      own.map(({ bucket, failed }) => ({ bucket, value: failed })),
    )
    const last_at = own.map((row) => row.last_at).reduce((a, b) => (a > b ? a : b))
    return [
      {
        code: error_code === NO_CODE ? null : error_code,
        channel_id,
        channel_name,
        count: sum(series),
        last_at,
        series,
      },
    ]
  })
  return figures.sort((a, b) => b.count - a.count || (a.last_at < b.last_at ? 1 : -1)).slice(0, ERRORS_MAX)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
