import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { LiveUpdate } from './live-update.ts'
import type { SentUpdate } from './schemas.ts'

/** More changes than this at once are one `reload`: a dashboard reads its lists again rather than so many rows. */
const UPDATES_MAX = 100

/** Updates of this process that are not sent yet. What changes several times meanwhile is sent once. */
export function createCollectedUpdates(now: Clock) {
  const collected = new Map<string, Map<string, LiveUpdate>>()

  return {
    add(update: LiveUpdate): void {
      const updates = collected.get(update.organizationId) ?? new Map<string, LiveUpdate>()
      collected.set(update.organizationId, updates)
      const { messageId, deliveryId, endpointId, channelId } = update
      const subject = messageId ?? deliveryId ?? `${update.kind} ${endpointId ?? channelId}`
      // The first one stays: it may say that the subject is new.
      if (updates.size <= UPDATES_MAX && !updates.has(subject)) updates.set(subject, update)
    },

    /** Returns everything and begins anew. */
    take(): { organizationId: string; updates: SentUpdate[] }[] {
      const taken = [...collected].map(([organizationId, updates]) => ({
        organizationId,
        updates: updates.size > UPDATES_MAX ? [toReload(now)] : [...updates.values()].map((one) => toSent(one, now)),
      }))
      collected.clear()
      return taken
    },
  }
}

export function toReload(now: Clock): SentUpdate {
  return { kind: 'reload', id: newId(now()) }
}

function toSent({ kind, channelId, messageId, deliveryId, endpointId }: LiveUpdate, now: Clock): SentUpdate {
  return {
    kind,
    id: newId(now()),
    ...(channelId && { channel_id: channelId }),
    ...(messageId && { message_id: messageId }),
    ...(deliveryId && { delivery_id: deliveryId }),
    ...(endpointId && { endpoint_id: endpointId }),
  }
}
