/** The bytes of an event: its envelope or raw change, and what compat endpoints get instead, if anything. */
export type EventPayload = { body: Buffer; compatBody: Buffer | null }

export type PayloadCache = ReturnType<typeof createPayloadCache>

/**
 * Keeps recent payloads within a bound of bytes: most deliveries are sent by the
 * process that published the event, moments later, without a read of the database.
 * When the newer half is full it becomes the older half, which is dropped whole:
 * a Map from which the oldest entries are deleted one by one becomes slow.
 */
export function createPayloadCache({ bytesMax }: { bytesMax: number }) {
  const halfBytesMax = bytesMax / 2
  let newer = new Map<string, EventPayload>()
  let older = new Map<string, EventPayload>()
  let newerBytes = 0

  return {
    /** An event's payload never changes, so an entry is never replaced. */
    put(eventId: string, { body, compatBody }: EventPayload): void {
      const bytes = body.length + (compatBody?.length ?? 0)
      if (newer.has(eventId) || bytes > halfBytesMax) return
      if (newerBytes + bytes > halfBytesMax) {
        older = newer
        newer = new Map()
        newerBytes = 0
      }
      newer.set(eventId, { body, compatBody })
      newerBytes += bytes
    },

    get: (eventId: string): EventPayload | undefined => newer.get(eventId) ?? older.get(eventId),
  }
}
