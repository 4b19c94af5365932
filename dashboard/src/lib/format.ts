import { splitDuration } from './duration.ts'
import { currentLocale } from './languages.ts'

/** Numbers, dates and durations as the reader's language writes them. */
export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(currentLocale(), options).format(value)
}

/** A count that stops at `max`: `999`, `1,000+`. */
export function formatCount(value: number, max: number): string {
  return value < max ? formatNumber(value) : `${formatNumber(max)}+`
}

/** Nearly all is never rounded up to all. */
export function formatPercent(ratio: number): string {
  if (ratio <= 0.999 || ratio >= 1) return formatNumber(ratio, { style: 'percent', maximumFractionDigits: 1 })
  return formatNumber(ratio, { style: 'percent', maximumFractionDigits: 2, roundingMode: 'floor' })
}

/** An amount in the smallest unit of its currency. */
export function formatMoney(cents: number, currency: string): string {
  const format = new Intl.NumberFormat(currentLocale(), { style: 'currency', currency })
  return format.format(cents / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
const DAY = { day: 'numeric', month: 'short' } as const

function formatDate(at: string | Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(currentLocale(), options).format(new Date(at))
}

export function formatClock(at: string | Date, precision: 'minute' | 'second' | 'millisecond' = 'second'): string {
  if (precision === 'minute') return formatDate(at, { ...CLOCK, second: undefined })
  return formatDate(at, precision === 'second' ? CLOCK : { ...CLOCK, fractionalSecondDigits: 3 })
}

/** In the time zone of the device, unless another is named. */
export function formatDay(at: string | Date, zone: { timeZone?: string } = {}): string {
  const toYear = (moment: string | Date) => formatDate(moment, { year: 'numeric', ...zone })
  const isThisYear = toYear(at) === toYear(new Date())
  return formatDate(at, { ...DAY, ...(!isThisYear && { year: 'numeric' }), ...zone })
}

/** The clock today, the day and the clock before. */
export function formatMoment(at: string | Date, precision: 'minute' | 'second' = 'minute'): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString()
  return isToday ? formatClock(at, precision) : `${formatDay(at)} ${formatClock(at, precision)}`
}

/** A day that matters, with its year and the clock: `24 November 2026, 14:05`. */
export function formatLongMoment(at: string | Date): string {
  return formatDate(at, { dateStyle: 'long', timeStyle: 'short' })
}

export function formatUtc(at: string | Date): string {
  return new Date(at).toISOString().replace('T', ' ').replace('Z', ' UTC')
}

/** A length of time by its international symbols: `1 h 30 min`, `42 s`. */
export function formatDuration(ms: number): string {
  return splitDuration(ms)
    .map(({ count, unit }) => (count === 0 ? `<\u00a01\u00a0${unit}` : `${formatNumber(count)}\u00a0${unit}`))
    .join(' ')
}

/** For how long something has been: seconds in the first minute, whole minutes after it. */
export function formatAge(ms: number): string {
  const step = ms < 60_000 ? 1000 : 60_000
  return formatDuration(Math.max(1, Math.floor(ms / step)) * step)
}

/** Formats the time until a moment that has not come: whole seconds. */
export function formatTimeLeft(ms: number): string {
  return formatDuration(Math.max(1, Math.ceil(ms / 1000)) * 1000)
}

export function formatBytes(bytes: number): string {
  if (bytes < 1e3) return formatNumber(bytes, { style: 'unit', unit: 'byte', unitDisplay: 'long' })
  // A size that rounds up to a megabyte is shown as one.
  const [unit, size] = bytes < 999_950 ? (['kilobyte', 1e3] as const) : (['megabyte', 1e6] as const)
  return formatNumber(bytes / size, { style: 'unit', unit, maximumFractionDigits: 1 })
}

/** `5511955500199` as people write it; numbers of other countries with a plus. */
export function formatPhone(phone: string): string {
  const digits = phone.replace(/\D/g, '')
  const brazilian = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(digits)
  if (brazilian) return `+55 ${brazilian[1]} ${brazilian[2]}-${brazilian[3]}`
  return digits === '' ? phone : `+${digits}`
}

export function shortenId(id: string): string {
  return id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id
}
