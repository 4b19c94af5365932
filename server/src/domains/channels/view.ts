import type { Static } from 'typebox'
import type { ChannelData } from '../events/schemas.ts'
import type { Channel } from './schemas.ts'
import type { ChannelStatus } from './status.ts'

type Row = {
  id: string
  name: string
  external_id: string | null
  status: ChannelStatus
  phone_number_id: string | null
  waba_id: string | null
  display_phone_number: string | null
  verified_name: string | null
  quality_rating: string | null
  coexistence: boolean
  subscribed_ok: boolean | null
  created_at: string
  updated_at: string
}

/** A channel as callers see it: never its credential, and no subscription before there was a connection. */
export function channelView(row: Row): Channel {
  const { id, name, status, external_id, display_phone_number, verified_name, quality_rating, coexistence } = row
  const { created_at, updated_at, subscribed_ok } = row
  return {
    id,
    name,
    type: 'messaging',
    status,
    external_id,
    display_phone_number,
    verified_name,
    quality_rating,
    coexistence,
    ...(subscribed_ok !== null && { subscribed_ok }),
    created_at,
    updated_at,
  }
}

/** The `data` of every channel.* event. */
export function channelEventData(row: Row, reason: string | null): Static<typeof ChannelData> {
  const { id, name, external_id, status, phone_number_id, waba_id, display_phone_number, verified_name } = row
  return {
    channel: {
      id,
      name,
      external_id,
      status,
      phone_number_id,
      waba_id,
      display_phone_number,
      verified_name,
      coexistence: row.coexistence,
    },
    reason,
  }
}
