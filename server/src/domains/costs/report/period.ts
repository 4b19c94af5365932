import { invalidRequest } from '../../../kernel/errors.ts'
import { RETENTION_DAYS } from '../volumes/retention-days.ts'

const DAY_MS = 86_400_000
/** `2026-11-30`, alone or before the time of a timestamp. */
const DAY = /^\d{4}-\d\d-\d\d$/
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** UTC days from `since` on and before `until`. */
export type CostPeriod = { since: string; until: string }

/**
 * The days that a query names. By default those of the month in which the last day is, up to today. A time within a day
 * means the whole day, because a day is the smallest that is counted.
 */
export function parsePeriod(query: { since?: string | undefined; until?: string | undefined }, now: Date): CostPeriod {
  const until = query.until === undefined ? addDays(toDay(now), 1) : toEnd(parseTime('until', query.until))
  const since = query.since === undefined ? toMonth(addDays(until, -1)) : toDay(parseTime('since', query.since))
  if (since >= until) throw invalidRequest('period_reversed')
  if (Date.parse(until) - Date.parse(since) > RETENTION_DAYS * DAY_MS) {
    throw invalidRequest('period_too_long', { parameters: { days: RETENTION_DAYS } })
  }
  return { since, until }
}

export function toDay(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** The first day of the month of a day. */
export function toMonth(day: string): string {
  return `${day.slice(0, 7)}-01`
}

export function addDays(day: string, days: number): string {
  return toDay(new Date(Date.parse(day) + days * DAY_MS))
}

function toEnd(time: Date): string {
  const day = toDay(time)
  return Date.parse(day) === time.getTime() ? day : addDays(day, 1)
}

function parseTime(name: 'since' | 'until', text: string): Date {
  const time = new Date(text)
  const isGiven = DAY.test(text) || TIMESTAMP.test(text)
  // `new Date` takes 2026-02-30 for the 2nd of March.
  const day = text.slice(0, 'YYYY-MM-DD'.length)
  const isReal = !Number.isNaN(time.getTime()) && isGiven && toDay(new Date(day)) === day
  const isInRange = isReal && time.getUTCFullYear() >= 2000 && time.getUTCFullYear() < 2100
  if (isInRange) return time
  throw invalidRequest('day_invalid', { parameters: { name } })
}
