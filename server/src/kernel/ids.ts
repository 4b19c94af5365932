import { randomBytes } from 'node:crypto'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Enough for all ids that a process can create in one millisecond, from any random start. */
const COUNTER_BITS = 30
const COUNTER_START_MAX = 2 ** (COUNTER_BITS - 1)
const RANDOM_BYTES = 4096
/** The latest time that fits into 48 bits. An id of a caller may have it. */
const TIME_MAX = 2 ** 48 - 1

let latestMs = -1
let counter = 0
let pool = randomBytes(RANDOM_BYTES)
let used = 0

/**
 * A UUIDv7 (RFC 9562): 48 bits of milliseconds, 30 bits that count up within
 * one millisecond from a random start, 44 random bits. Ids sort by time of
 * creation, and those of one process also within a millisecond: that keeps a
 * tenant's new rows together and makes an id a cursor.
 */
export function newId(now: Date = new Date()): string {
  const ms = now.getTime()
  const random = take(10)
  counter = ms === latestMs ? counter + 1 : random.readUInt32BE(0) % COUNTER_START_MAX
  latestMs = ms
  const high = 0x7000 | (counter >>> 18)
  const low = 0x80000000 | ((counter & 0x3ffff) << 12) | (random.readUInt16BE(4) & 0xfff)
  const time = ms.toString(16).padStart(12, '0')
  const tail = random.toString('hex', 6, 10)
  const middle = (low >>> 0).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-${high.toString(16)}-${middle.slice(0, 4)}-${middle.slice(4)}${tail}`
}

/** The lowest UUIDv7 of a millisecond: a bound for the ids that are created from then on. */
export function toFirstId(at: Date): string {
  const hex = Math.min(Math.max(at.getTime(), 0), TIME_MAX).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The milliseconds since 1970 in a UUIDv7. */
export function readIdTime(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16)
}

function take(bytes: number): Buffer {
  if (used + bytes > RANDOM_BYTES) {
    pool = randomBytes(RANDOM_BYTES)
    used = 0
  }
  used += bytes
  return pool.subarray(used - bytes, used)
}

export function isUuid(text: string): boolean {
  return UUID.test(text)
}
