/** A period by its name, or two days of the reader's calendar: `2026-11-01..2026-11-07`. Either day may be left out. */
export const PERIODS = ['today', 'yesterday', '24h', '7d', '30d'] as const
type Period = (typeof PERIODS)[number]

const DAY_MS = 86_400_000
const LENGTHS: Partial<Record<Period, number>> = { '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS }
const DAYS = /^(\d{4}-\d{2}-\d{2})?\.\.(\d{4}-\d{2}-\d{2})?$/

export function isPeriod(text: string): text is Period {
  return (PERIODS as readonly string[]).includes(text)
}

/** Reads a range from an address, if it says something sensible. */
export function parseDateRange(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (isPeriod(value)) return value
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

/** The times of a range, as the hub takes them. The last day counts as a whole. */
export function toTimes(range: string | undefined, now: Date): { since?: string; until?: string } {
  if (range === undefined) return {}
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
