import type { Clock } from '../../../kernel/clock.ts'

/** The bytes of an event: its envelope or raw change, and what compat endpoints get instead, if anything. */
export type EventPayload = { body: Buffer; compatBody: Buffer | null }

const HALF_MS_MAX = 60_000
/** How long a process may use a payload that was replaced or deleted since. */
export const PAYLOAD_CACHE_SECONDS_MAX = (2 * HALF_MS_MAX) / 1000

export type PayloadCache = ReturnType<typeof createPayloadCache>

/**
 * Keeps recent payloads within a bound of bytes: most deliveries are sent by the
 * process that published the event, moments later, without a read of the database.
 * When the newer half is full or a minute old it becomes the older half, which is dropped whole:
 * a Map from which the oldest entries are deleted one by one becomes slow. So no entry is used for longer than two
 * minutes: a payload that a person was erased from is read anew by then.
 */
export function createPayloadCache({ bytesMax, now }: { bytesMax: number; now: Clock }) {
  const halfBytesMax = bytesMax / 2
  let newer = new Map<string, EventPayload>()
  let older = new Map<string, EventPayload>()
  let newerBytes = 0
  let newerSince = now().getTime()

  function startHalf(): void {
    older = newer
    newer = new Map()
    newerBytes = 0
    newerSince = now().getTime()
  }

  function dropOld(): void {
    const age = now().getTime() - newerSince
    if (age < HALF_MS_MAX) return
    startHalf()
    if (age >= 2 * HALF_MS_MAX) older = new Map()
  }

  return {
    /** An entry is never replaced while it is used. */
    put(eventId: string, { body, compatBody }: EventPayload): void {
      const bytes = body.length + (compatBody?.length ?? 0)
      dropOld()
      if (newer.has(eventId) || bytes > halfBytesMax) return
      if (newerBytes + bytes > halfBytesMax) startHalf()
      newer.set(eventId, { body, compatBody })
      newerBytes += bytes
    },

    get(eventId: string): EventPayload | undefined {
      dropOld()
      return newer.get(eventId) ?? older.get(eventId)
    },
  }
}
