import type { NumberDescriptions } from '../channels/signals/service.ts'
import type { NewEvent } from '../events/catalog.ts'
import type { ReceivedMedia } from '../media/service.ts'
import type { Item } from './callback.ts'
import { toChangeEvent } from './change-events.ts'
import { listMedia } from './media-ids.ts'
import type { TargetChannel } from './routing.ts'

export function toChannelKey(channel: TargetChannel) {
  return { organizationId: channel.organization_id, channelId: channel.channel_id }
}

/** The files that a change names. */
export function toMedia({ change, channel }: Item): ReceivedMedia[] {
  return listMedia(change.field, change.value).map((seen) => ({ ...seen, ...toChannelKey(channel) }))
}

/** The events of a change as a whole: its normalized event, if it has one, and the change as it came. */
export function toEvents({ change, channel }: Item, numbers: NumberDescriptions): NewEvent[] {
  const occurredAt = change.entryTime === null ? null : new Date(change.entryTime * 1000).toISOString()
  const event =
    change.value === undefined ? undefined : toChangeEvent(change.field, change.value, numbers.get(channel.channel_id))
  const raw = { ...toChannelKey(channel), kind: 'upstream.raw' as const, occurredAt, raw: change.raw }
  return event ? [{ ...toChannelKey(channel), ...event, occurredAt }, raw] : [raw]
}
