import type { Statistics } from '@hubline/sdk/console'
import { cx } from '../../../lib/cx.ts'
import { formatClock, formatDay, formatNumber, formatPercent } from '../../../lib/format.ts'
import { useOverviewTexts } from '../overview-texts.ts'
import { computeFailedShare, computeGrowth, computeShare, computeShareSeries, findPeak } from './figures.ts'
import { Tile, type TileProps } from './tile.tsx'

/** On a phone the frame reaches from edge to edge. */
export const FRAME = 'rounded-card border border-line max-tablet:-mx-4 max-tablet:rounded-none max-tablet:border-x-0'

/** Sent, delivered, failed and inbound: each a number with its line. */
export function Tiles({ statistics }: { statistics: Statistics }) {
  const tiles = useTiles(statistics)
  return (
    <div className={cx(FRAME, 'grid grid-cols-4 max-desktop:grid-cols-2')}>
      {tiles.map((tile) => (
        <div
          key={tile.title}
          className="border-line not-last:border-r max-desktop:even:border-r-0 max-desktop:nth-[-n+2]:border-b"
        >
          <Tile {...tile} />
        </div>
      ))}
    </div>
  )
}

function useTiles(statistics: Statistics): TileProps[] {
  const t = useOverviewTexts()
  const rate = useRateText(statistics)
  const { messages, range, since } = statistics
  const { sent, delivered, read, failed, received } = messages
  const start = range === '24h' ? formatClock(since, 'minute') : formatDay(since)
  const share = computeShare(delivered.total, sent.total)
  const before = computeShare(delivered.previous_total, sent.previous_total)
  const readShare = computeShare(read.total, sent.total)
  const peak = findPeak(failed.series, statistics)
  const failedShare = computeFailedShare(messages)
  return [
    {
      title: t('sent'),
      value: formatNumber(sent.total),
      unit: t('messages', { count: sent.total }),
      change: formatGrowth(computeGrowth(sent)),
      series: sent.series,
      start,
      middle: rate(sent.total),
      empty: sent.total === 0 ? t('noneSent') : undefined,
    },
    {
      title: t('delivered'),
      value: share === undefined ? '–' : formatPercent(share),
      unit: t('ofSent'),
      change:
        share === undefined || before === undefined
          ? undefined
          : t('points', { points: formatSigned((share - before) * 100, 1) }),
      series: computeShareSeries(delivered.series, sent.series),
      start,
      middle: readShare === undefined ? undefined : t('readShare', { share: formatPercent(readShare) }),
      empty: share === undefined ? t('noneDelivered') : undefined,
    },
    {
      title: t('failedMessages'),
      value: formatNumber(failed.total),
      unit: failedShare === undefined ? undefined : t('shareOfTried', { share: formatPercent(failedShare) }),
      change: failed.previous_total === 0 ? undefined : formatSigned(failed.total - failed.previous_total, 0),
      series: failed.series,
      tone: 'danger',
      start,
      middle: peak && t('peak', { time: range === '24h' ? formatClock(peak, 'minute') : formatDay(peak) }),
      empty: failed.total === 0 ? t('noneFailed') : undefined,
    },
    {
      title: t('inbound'),
      value: formatNumber(received.total),
      unit: t('messages', { count: received.total }),
      change: formatGrowth(computeGrowth(received)),
      series: received.series,
      start,
      middle: rate(received.total),
      empty: received.total === 0 ? t('noneInbound') : undefined,
    },
  ]
}

function formatSigned(value: number, digits: number): string {
  return formatNumber(value, { signDisplay: 'exceptZero', maximumFractionDigits: digits })
}

function formatGrowth(growth: number | undefined): string | undefined {
  if (growth === undefined) return undefined
  return formatNumber(growth, { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 1 })
}

/** Returns the rate in the first unit of time in which it is at least one. */
function useRateText({ since, until }: Statistics): (total: number) => string {
  const t = useOverviewTexts()
  const minutes = (Math.min(Date.parse(until), Date.now()) - Date.parse(since)) / 60_000
  const write = (rate: number) => formatNumber(rate, { maximumFractionDigits: rate < 10 ? 1 : 0 })
  return (total) => {
    const rate = total / minutes
    if (rate >= 1) return t('perMinute', { rate: write(rate) })
    return rate * 60 >= 1 ? t('perHour', { rate: write(rate * 60) }) : t('perDay', { rate: write(rate * 1440) })
  }
}
