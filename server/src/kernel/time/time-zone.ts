const DAY_MS = 86_400_000

/** Names such as `America/Sao_Paulo`; not `+03:00`, which `Intl` takes too. */
const NAME = /^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/

/** Returns true if a text is the IANA name of a time zone that this process knows. */
export function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch (err) {
    if (err instanceof RangeError) return false
    throw err
  }
}

/** A day as a calendar shows it, `2026-11-30`, and the moment at which it begins. */
type CalendarDay = { date: string; start: Date }

/** The last `count` days of a time zone, oldest first. The last one is not over. */
export function listDays(timeZone: string, now: Date, count: number): CalendarDay[] {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  /** Returns the time that the clocks of the zone show, in milliseconds as if it were UTC. */
  function toLocalMs(ms: number): number {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second)
  }
  const today = Math.floor(toLocalMs(now.getTime()) / DAY_MS)
  return Array.from({ length: count }, (_, index) => {
    const midnight = (today - count + 1 + index) * DAY_MS
    return { date: new Date(midnight).toISOString().slice(0, 10), start: new Date(findMoment(midnight, toLocalMs)) }
  })
}

/** The days from a moment until now, at most `countMax` of them: the first one begins with the moment instead of its midnight. */
export function listDaysSince(timeZone: string, since: Date, now: Date, countMax: number): CalendarDay[] {
  const span = Math.ceil((now.getTime() - since.getTime()) / DAY_MS) + 2
  const days = listDays(timeZone, now, Math.max(1, Math.min(span, countMax)))
  const first = days.findLastIndex(({ start }) => start <= since)
  return days.slice(Math.max(0, first)).map((day) => (day.start < since ? { ...day, start: since } : day))
}

/**
 * The first moment at which the clocks show midnight. Where they go forward over it, that is the moment of the change,
 * which is midnight by the offset before.
 */
function findMoment(midnight: number, toLocalMs: (ms: number) => number): number {
  const toMoment = (nearby: number) => midnight - (toLocalMs(nearby) - nearby)
  const [before, after] = [toMoment(midnight - DAY_MS), toMoment(midnight + DAY_MS)]
  const moments = [Math.min(before, after), Math.max(before, after)]
  return moments.find((ms) => toLocalMs(ms) === midnight) ?? before
}
