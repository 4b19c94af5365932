import type { Channel, ChannelEventData } from './schemas.ts'
import type { ChannelRow } from './store.ts'

/** The channel in API responses: without its credential, and without `subscribed_ok` before it was connected. */
export function toChannel(row: ChannelRow, graphUrl: string): Channel {
  const { id, name, status, external_id, phone_number_id, waba_id, display_phone_number, verified_name } = row
  const {
    quality_rating,
    username,
    import_history,
    monthly_budget,
    coexistence,
    created_at,
    updated_at,
    subscribed_ok,
  } = row
  return {
    id,
    name,
    type: 'messaging',
    status,
    external_id,
    phone_number_id,
    waba_id,
    display_phone_number,
    verified_name,
    quality_rating,
    username,
    coexistence,
    import_history,
    monthly_budget,
    ...(subscribed_ok !== null && { subscribed_ok }),
    graph_url: graphUrl,
    created_at,
    updated_at,
  }
}

export function toChannelEventData(row: ChannelRow, reason: string | null): ChannelEventData {
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
