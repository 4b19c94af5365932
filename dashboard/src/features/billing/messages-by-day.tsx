import { useQuery } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import { formatDay } from '../../lib/format.ts'
import { StackedBars } from '../../ui/charts/stacked-bars.tsx'
import { Card } from '../../ui/data/card.tsx'
import { ErrorState, Skeleton } from '../../ui/states/list-states.tsx'
import { useBillingTexts } from './billing-texts.ts'

const DAY_MS = 86_400_000

/** The days of the period whose usage stands above, up to today. */
export function MessagesByDay({ since }: { since: string }) {
  const t = useBillingTexts()
  const statistics = useQuery({
    queryKey: ['daily-statistics', since],
    queryFn: () => hub.console.showDailyStatistics({ since }),
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
  const { days, time_zone } = statistics.data
  return (
    <Card>
      <StackedBars
        title={t('perDay')}
        label={t('perDay')}
        periods={days.map(({ date }) => formatDay(date, { timeZone: 'UTC' }))}
        layers={[
          { name: t('sentLegend'), color: 'fill-accent', values: days.map(({ sent }) => sent) },
          { name: t('received'), color: 'fill-chart-2', values: days.map(({ received }) => received) },
        ]}
      />
      <p className="mt-2 text-meta text-text-3">{t('daysIn', { zone: time_zone.replaceAll('_', ' ') })}</p>
    </Card>
  )
}
