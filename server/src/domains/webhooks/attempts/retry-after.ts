import { WAIT_MS_MAX } from './retry-schedule.ts'

/** The longest wait of the retry schedule. Without a limit, a receiver could request `9e999` seconds. */
const RETRY_AFTER_SECONDS_MAX = WAIT_MS_MAX / 1000

/** The three date formats of RFC 9110, 5.6.7. All are in GMT; the last one does not say so. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [\d ]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

/** The seconds that a `Retry-After` header requests, at most 48 hours; null where the header is invalid. */
export function parseRetryAfter(header: string, now: Date): number | null {
  const text = header.trim()
  const seconds = /^\d+$/.test(text) ? Number(text) : computeSecondsUntil(text, now)
  return seconds === null ? null : Math.min(Math.max(seconds, 0), RETRY_AFTER_SECONDS_MAX)
}

/** `Date.parse` alone accepts nearly any text (`-5`, `1.5`), in the time zone of the machine. */
function computeSecondsUntil(text: string, now: Date): number | null {
  if (!HTTP_DATES.some((format) => format.test(text))) return null
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? null : Math.ceil((at - now.getTime()) / 1000)
}
