/**
 * A period by its name; two days of the reader's calendar, `2026-11-01..2026-11-07`, of which either may be left out; or two moments,
 * `2026-11-01T10:00:00.000Z..`, of which either may be left out.
 */
export const PERIODS = ['today', 'yesterday', '24h', '7d', '30d'] as const
type Period = (typeof PERIODS)[number]

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const LENGTHS: Partial<Record<Period, number>> = { '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS }
const MOMENT = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z`
const MOMENTS = new RegExp(`^(${MOMENT})?\\.\\.(${MOMENT})?$`)
const DAYS = /^(\d{4}-\d{2}-\d{2})?\.\.(\d{4}-\d{2}-\d{2})?$/

export function isPeriod(text: string): text is Period {
  return (PERIODS as readonly string[]).includes(text)
}

/** Reads a range from an address, if it says something sensible. */
export function parseDateRange(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (isPeriod(value)) return value
  if (readMoments(value)) return value
  const { from, to } = readDays(value)
  return from === undefined && to === undefined ? undefined : value
}

/** The two days of a range that has no name. */
export function readDays(range: string | undefined): { from: string | undefined; to: string | undefined } {
  const [, from, to] = DAYS.exec(range ?? '') ?? []
  return { from: isDay(from) ? from : undefined, to: isDay(to) ? to : undefined }
}

export function writeDays(from: string | undefined, to: string | undefined): string | undefined {
  return from || to ? `${from ?? ''}..${to ?? ''}` : undefined
}

/** The moments of a range that has them. */
export function readMoments(range: string | undefined): { since?: string; until?: string } | undefined {
  const [, since, until] = MOMENTS.exec(range ?? '') ?? []
  const given = [since, until].filter((moment) => moment !== undefined)
  if (given.length === 0 || given.some((moment) => Number.isNaN(Date.parse(moment)))) return undefined
  if (since && until && Date.parse(until) <= Date.parse(since)) return undefined
  return { ...(since && { since }), ...(until && { until }) }
}

export function writeMoments(since: string | null, until: string | null): string {
  return [since, until].map((moment) => (moment === null ? '' : new Date(moment).toISOString())).join('..')
}

/** The end of a day of the reader, or of a minute of it such as `14:30`. */
export function findEnd(day: string, minute: string): Date {
  return minute === '' ? startOfDay(day, 1) : new Date(new Date(`${day}T${minute}`).getTime() + MINUTE_MS)
}

/** The times of a range, as the hub takes them. The last day counts as a whole. */
export function toTimes(range: string | undefined, now: Date): { since?: string; until?: string } {
  if (range === undefined) return {}
  const moments = readMoments(range)
  if (moments) return moments
  if (!isPeriod(range)) {
    const { from, to } = readDays(range)
    return {
      ...(from !== undefined && { since: startOfDay(from).toISOString() }),
      ...(to !== undefined && { until: startOfDay(to, 1).toISOString() }),
    }
  }
  const length = LENGTHS[range]
  if (length !== undefined) return { since: new Date(now.getTime() - length).toISOString() }
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  if (range === 'today') return { since: today.toISOString() }
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  return { since: yesterday.toISOString(), until: today.toISOString() }
}

/** `Date` takes the 31st of February as a day of March. */
function isDay(text: string | undefined): boolean {
  const time = Date.parse(text ?? '')
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text
}

/** In the reader's time zone, where a day may have 23 or 25 hours. */
export function startOfDay(day: string, daysLater = 0): Date {
  const start = new Date(`${day}T00:00`)
  start.setDate(start.getDate() + daysLater)
  return start
}
