import { type Static, type TInteger, Type } from 'typebox'
import { dataOf, nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/http/schemas.ts'
import { MESSAGE_COUNTERS, type MessageCounter } from '../../statistics/counts/message-count.ts'
import { RANGE_NAMES } from '../period.ts'

const RangeQuery = oneOf(RANGE_NAMES, { default: '24h' })

export const StatisticsQuery = strictObject({ range: RangeQuery, channel_id: Type.Optional(Uuid) })
export type StatisticsQuery = Static<typeof StatisticsQuery>

export const EndpointStatisticsQuery = strictObject({ range: RangeQuery })
export type EndpointStatisticsQuery = Static<typeof EndpointStatisticsQuery>

export const DailyStatisticsQuery = strictObject({
  since: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'The moment from which messages are counted; by default the last 30 days. At most 90 days are shown.',
    }),
  ),
})
export type DailyStatisticsQuery = Static<typeof DailyStatisticsQuery>

const Series = Type.Array(Type.Integer(), { description: 'One number for each bucket, oldest first.' })

const period = {
  range: oneOf(RANGE_NAMES),
  bucket_seconds: Type.Integer(),
  since: Timestamp,
  until: Type.String({ format: 'date-time', description: 'The end of the last bucket, which is not over.' }),
}

const MessageFigure = Type.Object({
  total: Type.Integer(),
  previous_total: Type.Integer({ description: 'The total of the preceding period of the same length.' }),
  series: Series,
})
export type MessageFigure = Static<typeof MessageFigure>

const attempts = {
  succeeded: Type.Integer({ description: 'Attempts, as `failed`: a delivery has several if its receiver fails.' }),
  failed: Type.Integer(),
  success_rate: nullable(
    Type.Number({ description: 'The share of attempts that succeeded, from 0 to 1; null without attempts.' }),
  ),
  p95_ms: nullable(Type.Integer({ description: 'Interpolated in a histogram; 6,400 if it is more.' })),
  series: Type.Array(Type.Integer(), { description: 'Attempts that succeeded.' }),
  failed_series: Type.Array(Type.Integer(), { description: 'Attempts that failed.' }),
}

const ErrorFigure = Type.Object({
  code: nullable(Type.String({ description: "The upstream's error code; null for a failure without one." })),
  channel_id: Uuid,
  channel_name: nullable(Type.String()),
  count: Type.Integer(),
  last_at: Timestamp,
  series: Series,
})
export type ErrorFigure = Static<typeof ErrorFigure>

export const Statistics = dataOf({
  ...period,
  messages: Type.Object(
    Object.fromEntries(MESSAGE_COUNTERS.map((counter) => [counter, MessageFigure])) as Record<
      MessageCounter,
      typeof MessageFigure
    >,
  ),
  webhooks: Type.Object({
    ...attempts,
    queued: Type.Integer({ description: 'Deliveries that are not over, counted up to 1,000.' }),
    oldest_seconds: Type.Integer({
      description: 'The number of seconds for which the oldest waiting delivery has been due.',
    }),
  }),
  errors: Type.Array(ErrorFigure, { description: 'The 20 most frequent, by error code and channel.' }),
})

export const DailyStatistics = dataOf({
  time_zone: Type.String({ description: 'The time zone of the organization. Days begin at its midnight.' }),
  days: Type.Array(
    Type.Object({
      date: Type.String({ format: 'date' }),
      ...(Object.fromEntries(MESSAGE_COUNTERS.map((counter) => [counter, Type.Integer()])) as Record<
        MessageCounter,
        TInteger
      >),
    }),
    { description: 'Oldest first. The last one is not over, and the first one begins with `since`.' },
  ),
})

export const EndpointFigure = Type.Object({ endpoint_id: Uuid, ...attempts })

export const EndpointStatistics = dataOf({
  ...period,
  endpoints: Type.Array(EndpointFigure, { description: 'The endpoints that had attempts in the period.' }),
})
