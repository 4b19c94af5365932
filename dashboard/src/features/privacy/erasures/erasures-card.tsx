import type { Erasure } from '@hubline/sdk/console'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRoleRefusal } from '../../../api/permissions.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Id } from '../../../ui/controls/copy.tsx'
import { Card } from '../../../ui/data/card.tsx'
import { Status } from '../../../ui/data/status.tsx'
import { Time } from '../../../ui/data/time.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states/list-states.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { Table } from '../../../ui/table/table.tsx'
import { usePrivacyTexts } from '../privacy-texts.ts'
import { erasuresQuery } from './erasures-query.ts'

/** Erasures, newest first. Who was erased is not in them. */
export function ErasuresCard({ organizationId }: { organizationId: string }) {
  const t = usePrivacyTexts()
  const refusal = useRoleRefusal('admin')
  return (
    <Card title={t('erasures')}>
      {refusal === undefined ? (
        <ErasureList organizationId={organizationId} />
      ) : (
        <p>{t('erasuresHidden', { refusal })}</p>
      )}
    </Card>
  )
}

function ErasureList({ organizationId }: { organizationId: string }) {
  const t = usePrivacyTexts()
  const erasures = useInfiniteQuery(erasuresQuery(organizationId))
  const rows = erasures.data?.pages.flatMap(({ items }) => items) ?? []
  const columns: Column<Erasure>[] = [
    { id: 'time', header: t('requested'), cell: ({ requested_at }) => <Time at={requested_at} /> },
    {
      id: 'status',
      header: t('status'),
      cell: ({ status, stage }) =>
        status === 'done' ? (
          <Status status="succeeded">{t('done')}</Status>
        ) : (
          <Status status="processing">{stage === null ? t('starting') : t(`stage.${stage}`)}</Status>
        ),
    },
    { id: 'counts', header: t('erased'), cell: (erasure) => <CountText erasure={erasure} /> },
    { id: 'by', header: t('requestedBy'), from: 'tablet', cell: ({ requested_by }) => requested_by.name ?? '–' },
    { id: 'id', header: t('id'), from: 'desktop', cell: ({ id }) => <Id id={id} isShort /> },
  ]
  if (erasures.isPending) return <Skeleton rows={3} />
  if (erasures.isError) {
    return <ErrorState title={t('erasuresFailed')} error={erasures.error} onRetry={() => void erasures.refetch()} />
  }
  if (rows.length === 0) return <EmptyState title={t('noErasures')}>{t('noErasuresText')}</EmptyState>
  return (
    <div className="flex flex-col items-start gap-3" aria-live="polite">
      <div className="w-full">
        <Table label={t('erasures')} columns={columns} rows={rows} rowKey={({ id }) => id} />
      </div>
      {erasures.hasNextPage && (
        <Button isBusy={erasures.isFetchingNextPage} onClick={() => void erasures.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </div>
  )
}

function CountText({ erasure: { counts } }: { erasure: Erasure }) {
  const t = usePrivacyTexts()
  const messages = counts.messages_sent + counts.messages_received
  return (
    <span>
      {t('countMessages', { count: messages })}, {t('countEvents', { count: counts.events })},{' '}
      {t('countDeliveries', { count: counts.deliveries_canceled })}
    </span>
  )
}
