/** Nobody waits longer than the longest step of the schedule; without a bound a receiver could ask for `9e999`. */
const RETRY_AFTER_SECONDS_MAX = 48 * 60 * 60

/** The three forms of RFC 9110, 5.6.7. All are in GMT, the last without saying so. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [\d ]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

/** Seconds that a `Retry-After` header asks for, at most 48 hours, or null where it cannot be read. */
export function parseRetryAfter(header: string, now: Date): number | null {
  const text = header.trim()
  const seconds = /^\d+$/.test(text) ? Number(text) : secondsUntil(text, now)
  return seconds === null ? null : Math.min(Math.max(seconds, 0), RETRY_AFTER_SECONDS_MAX)
}

/** `Date.parse` alone makes a date of nearly anything (`-5`, `1.5`), in the machine's own time zone. */
function secondsUntil(text: string, now: Date): number | null {
  if (!HTTP_DATES.some((form) => form.test(text))) return null
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? null : Math.ceil((at - now.getTime()) / 1000)
}
