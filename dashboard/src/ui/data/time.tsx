import { useEffect, useState } from 'react'
import { formatAge, formatClock, formatMoment, formatTimeLeft, formatUtc } from '../../lib/format.ts'
import { useUiTexts } from '../texts.ts'

type TimeProps = { at: string; precision?: 'minute' | 'second' | 'millisecond' }

/** Local time; UTC in the tooltip. */
export function Time({ at, precision = 'minute' }: TimeProps) {
  const text = precision === 'millisecond' ? formatClock(at, precision) : formatMoment(at, precision)
  return (
    <time dateTime={at} title={formatUtc(at)} className="whitespace-nowrap">
      {text}
    </time>
  )
}

/** The present moment, again every so often. */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** Shows the age, as `3 min ago`, with the clock in the tooltip. */
export function Age({ at }: { at: string }) {
  const t = useUiTexts()
  const now = useNow(10_000)
  return (
    <time dateTime={at} title={`${formatMoment(at, 'second')} (${formatUtc(at)})`} className="whitespace-nowrap">
      {t('ago', { time: formatAge(now - Date.parse(at)) })}
    </time>
  )
}

/** When something will be, as `in 3 min 20 s`; the clock in the tooltip. */
export function TimeLeft({ until, past }: { until: string; past?: string }) {
  const t = useUiTexts()
  const left = Date.parse(until) - useNow()
  return (
    <time dateTime={until} title={`${formatMoment(until, 'second')} (${formatUtc(until)})`}>
      {left > 0 ? t('in', { time: formatTimeLeft(left) }) : (past ?? t('anyMoment'))}
    </time>
  )
}

/** The time that is left, as a clock: `23:59:41`. */
export function Countdown({ until }: { until: string }) {
  const left = Math.max(0, Math.floor((Date.parse(until) - useNow()) / 1000))
  const parts = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60]
  return (
    <time dateTime={until} title={formatUtc(until)}>
      {parts.map((part) => String(part).padStart(2, '0')).join(':')}
    </time>
  )
}
