import { randomBytes } from 'node:crypto'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Enough for all ids that a process can create in one millisecond, from any random start. */
const COUNTER_BITS = 30
const COUNTER_START_MAX = 2 ** (COUNTER_BITS - 1)
const RANDOM_BYTES = 4096
/** Four for the start of the counter, six for the random end. */
const RANDOM_BYTES_PER_ID = 10
/** The latest time that fits into 48 bits. An id of a caller may have it. */
const TIME_MAX = 2 ** 48 - 1
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

let latestMs = -1
/** The id up to its counter: the time and the version. */
let beginning = ''
let counter = 0
let pool = randomBytes(RANDOM_BYTES)
let used = 0

/**
 * A UUIDv7 (RFC 9562): 48 bits of milliseconds, 30 bits that count up within
 * one millisecond from a random start, 44 random bits. Ids sort by time of
 * creation, and those of one process also within a millisecond: that keeps a
 * tenant's new rows together and makes an id a cursor. Each message takes several,
 * so they are written byte by byte from a table.
 */
export function newId(now: Date = new Date()): string {
  const ms = now.getTime()
  const place = takeRandom()
  if (ms === latestMs) counter++
  else {
    latestMs = ms
    beginning = `${toTimeHex(ms)}-7`
    counter = pool.readUInt32BE(place) % COUNTER_START_MAX
  }
  const hex = (byte: number) => HEX[byte & 0xff]
  const random = (offset: number) => HEX[pool[place + offset] ?? 0]
  const high = (counter >>> 18).toString(16).padStart(3, '0')
  const middle = `${hex(0x80 | ((counter >>> 12) & 0x3f))}${hex(counter >>> 4)}`
  const last = hex(((counter & 0xf) << 4) | ((pool[place + 4] ?? 0) & 0xf))
  return `${beginning}${high}-${middle}-${last}${random(5)}${random(6)}${random(7)}${random(8)}${random(9)}`
}

function toTimeHex(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

/** The place of an id's random bytes in the pool. */
function takeRandom(): number {
  if (used + RANDOM_BYTES_PER_ID > RANDOM_BYTES) {
    pool = randomBytes(RANDOM_BYTES)
    used = 0
  }
  used += RANDOM_BYTES_PER_ID
  return used - RANDOM_BYTES_PER_ID
}

/** The lowest UUIDv7 of a millisecond: a bound for the ids that are created from then on. */
export function toFirstId(at: Date): string {
  return `${toTimeHex(Math.min(Math.max(at.getTime(), 0), TIME_MAX))}-0000-0000-000000000000`
}

/** The milliseconds since 1970 in a UUIDv7. */
export function readIdTime(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16)
}

export function isUuid(text: string): boolean {
  return UUID.test(text)
}
