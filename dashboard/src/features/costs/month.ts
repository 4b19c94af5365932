/** The days of a month in UTC, `2026-11`, and how many of them have begun. */
export type Month = { name: string; since: string; until: string; days: readonly string[]; begun: number }

export function describeMonth(name: string, now: Date): Month {
  const [year = 0, number = 1] = name.split('-').map(Number)
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate()
  const days = Array.from({ length: count }, (_, day) => toDay(new Date(Date.UTC(year, number - 1, day + 1))))
  const today = toDay(now)
  return {
    name,
    since: toDay(new Date(Date.UTC(year, number - 1))),
    until: toDay(new Date(Date.UTC(year, number))),
    days,
    begun: days.filter((day) => day <= today).length,
  }
}

/** The month of now, or one before it. */
export function toMonthName(now: Date, before = 0): string {
  return toDay(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - before))).slice(0, 7)
}

/** Estimates a whole month if its other days are as those that have begun; null for a month that is over or to come. */
export function projectMonth(total: number, { days, begun }: Month): number | null {
  return begun === 0 || begun === days.length ? null : (total / begun) * days.length
}

function toDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}
