import { type Static, Type } from 'typebox'
import { oneOf, Uuid } from '../../kernel/http/schemas.ts'
import { LIVE_UPDATE_KINDS } from './live-update.ts'

export const LAST_EVENT_ID_HEADER = 'last-event-id'

export const StreamHeaders = Type.Object({
  [LAST_EVENT_ID_HEADER]: Type.Optional(
    Type.String({ format: 'uuid', description: 'The id of the last update that the client got, to go on after it.' }),
  ),
})

/** The data of one server-sent event. */
export const SentUpdate = Type.Object({
  kind: oneOf(LIVE_UPDATE_KINDS),
  id: Uuid,
  channel_id: Type.Optional(Uuid),
  message_id: Type.Optional(Uuid),
  delivery_id: Type.Optional(Uuid),
  endpoint_id: Type.Optional(Uuid),
})
export type SentUpdate = Static<typeof SentUpdate>
