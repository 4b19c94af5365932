import type { Clock } from '../../../kernel/clock.ts'

/** The bytes of an event: its envelope or raw change, and what compat endpoints get instead, if anything. */
export type EventPayload = { body: Buffer; compatBody: Buffer | null }

/** Copies share blocks of this size, and a copy of more than a quarter of it has its own memory. */
const BLOCK_BYTES = 256 * 1024
const HALF_MS_MAX = 60_000
/** A process may use a payload that was replaced or deleted for this long. */
export const PAYLOAD_CACHE_SECONDS_MAX = (2 * HALF_MS_MAX) / 1000

export type PayloadCache = ReturnType<typeof createPayloadCache>

/**
 * Keeps recent payloads within a bound of bytes: most deliveries are sent by the
 * process that published the event, moments later, without a read of the database.
 * When the newer half is full or a minute old it becomes the older half, which is dropped whole:
 * a Map from which the oldest entries are deleted one by one becomes slow. So no entry is used for longer than two
 * minutes: a payload that a person was erased from is read anew by then. Bytes are copied into blocks: a buffer of
 * a request or of a database row is a small part of a larger piece of memory, which it would keep whole.
 */
export function createPayloadCache({ bytesMax, now }: { bytesMax: number; now: Clock }) {
  const halfBytesMax = bytesMax / 2
  let newer = new Map<string, EventPayload>()
  let older = new Map<string, EventPayload>()
  let newerBytes = 0
  let newerSince = now().getTime()
  let block = Buffer.alloc(0)
  let blockUsed = 0

  function copy(bytes: Buffer): Buffer {
    if (bytes.length > BLOCK_BYTES / 4) return copyAlone(bytes)
    if (blockUsed + bytes.length > block.length) {
      block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
      blockUsed = 0
    }
    const part = block.subarray(blockUsed, blockUsed + bytes.length)
    part.set(bytes)
    blockUsed += bytes.length
    return part
  }

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
      newer.set(eventId, { body: copy(body), compatBody: compatBody && copy(compatBody) })
      newerBytes += bytes
    },

    get(eventId: string): EventPayload | undefined {
      dropOld()
      return newer.get(eventId) ?? older.get(eventId)
    },
  }
}

function copyAlone(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length)
  own.set(bytes)
  return own
}
