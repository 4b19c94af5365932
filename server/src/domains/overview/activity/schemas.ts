import { type Static, Type } from 'typebox'
import { dataOf, nullable, PageQuery, strictObject, Timestamp, Uuid } from '../../../kernel/http/schemas.ts'

/** The number of channels that one request can name. */
export const IDS_MAX = 100
const UUID_LENGTH = 36

export const ActivityQuery = strictObject({
  ...PageQuery.properties,
  ids: Type.Optional(
    Type.String({
      maxLength: IDS_MAX * (UUID_LENGTH + 1) - 1,
      description: `Up to ${IDS_MAX} ids of channels, separated by commas: only those, in one page.`,
    }),
  ),
})
export type ActivityQuery = Static<typeof ActivityQuery>

export const ChannelActivity = Type.Object({
  channel_id: Uuid,
  last_inbound_at: nullable(Timestamp),
  last_outbound_at: nullable(Timestamp),
  endpoints: Type.Integer({
    description: 'The number of endpoints, in any status, that name the channel or have all_channels.',
  }),
})
export type ChannelActivity = Static<typeof ChannelActivity>

export const ChannelActivityPage = dataOf({
  channels: Type.Array(ChannelActivity),
  next_cursor: nullable(Type.String()),
})
