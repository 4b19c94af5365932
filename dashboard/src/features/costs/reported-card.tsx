import type { ReportedCosts } from '@hubline/sdk'
import { useQuery } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import { formatNumber } from '../../lib/format.ts'
import { Card } from '../../ui/data/card.tsx'
import { ErrorState, Skeleton } from '../../ui/states/list-states.tsx'
import { type Column, CUT_ON_PHONES } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { useCostsTexts } from './costs-texts.ts'
import { formatAmount } from './money.ts'
import { costsKey } from './queries.ts'

type ReportedCardProps = { channelId: string; since: string; until: string }

/** The figures of the channel's account as the upstream has them, beside the estimate. */
export function ReportedCard({ channelId, since, until }: ReportedCardProps) {
  const t = useCostsTexts()
  const reported = useQuery({
    queryKey: [...costsKey, 'reported', channelId, since, until],
    queryFn: async () => (await hub.billing.getReportedCosts(channelId, { since, until })).reported_costs,
    staleTime: 60_000,
  })
  return (
    <Card title={t('reported')}>
      {reported.data ? (
        <Reported reported={reported.data} />
      ) : reported.isError ? (
        <ErrorState title={t('reportedFailed')} error={reported.error} onRetry={() => void reported.refetch()} />
      ) : (
        <Skeleton rows={2} />
      )}
    </Card>
  )
}

type Row = ReportedCosts['categories'][number]

function Reported({ reported: { is_available, reason, currency, categories } }: { reported: ReportedCosts }) {
  const t = useCostsTexts()
  if (!is_available) {
    return (
      <div className="flex flex-col gap-1">
        <p>{t('notAvailable')}</p>
        {reason !== null && (
          <p lang="en" className="text-text-3">
            {[reason.code, reason.title].filter((part) => part !== null).join(' · ')}
          </p>
        )}
      </div>
    )
  }
  const columns: Column<Row>[] = [
    { id: 'category', header: t('category'), className: CUT_ON_PHONES, cell: ({ category }) => category },
    { id: 'messages', header: t('messages'), isNumber: true, cell: ({ messages }) => formatNumber(messages) },
    {
      id: 'cost',
      header: t('total'),
      isNumber: true,
      cell: ({ cost }) => (cost === null || currency === null ? '–' : formatAmount(Number(cost), currency)),
    },
  ]
  return (
    <div className="flex flex-col gap-3">
      <p className="text-text-3">{t('reportedText')}</p>
      <Table label={t('reported')} columns={columns} rows={categories} rowKey={({ category }) => category} />
    </div>
  )
}
