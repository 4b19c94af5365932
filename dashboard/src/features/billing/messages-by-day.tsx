import { useQuery } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import { formatDay } from '../../lib/format.ts'
import { StackedBars } from '../../ui/charts/stacked-bars.tsx'
import { Card } from '../../ui/data/card.tsx'
import { ErrorState, Skeleton } from '../../ui/states/list-states.tsx'
import { useBillingTexts } from './billing-texts.ts'

const DAY_MS = 86_400_000

/** The buckets of a series that begin on the same day, in one number. */
function sumDays(series: readonly number[], since: string, bucketSeconds: number): Map<string, number> {
  const days = new Map<string, number>()
  for (const [position, count] of series.entries()) {
    const day = formatDay(new Date(Date.parse(since) + position * bucketSeconds * 1000))
    days.set(day, (days.get(day) ?? 0) + count)
  }
  return days
}

export function MessagesByDay() {
  const t = useBillingTexts()
  const statistics = useQuery({
    queryKey: ['statistics', '30d'],
    queryFn: () => hub.console.showStatistics({ range: '30d' }),
    staleTime: DAY_MS / 24,
  })
  if (statistics.isPending) return <Skeleton rows={4} />
  if (statistics.isError) {
    return (
      <Card>
        <ErrorState title={t('seriesFailed')} error={statistics.error} onRetry={() => void statistics.refetch()} />
      </Card>
    )
  }
  const { messages, since, bucket_seconds } = statistics.data
  const sent = sumDays(messages.sent.series, since, bucket_seconds)
  const received = sumDays(messages.received.series, since, bucket_seconds)
  return (
    <Card>
      <StackedBars
        title={t('perDay')}
        label={t('perDay')}
        periods={[...sent.keys()]}
        layers={[
          { name: t('sentLegend'), color: 'fill-accent', values: [...sent.values()] },
          { name: t('received'), color: 'fill-chart-2', values: [...received.values()] },
        ]}
      />
    </Card>
  )
}
