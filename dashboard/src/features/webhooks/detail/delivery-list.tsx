import type { Delivery, Pause, Webhook } from '@hubline/sdk/console'
import type { UseQueryResult } from '@tanstack/react-query'
import { DELIVERY_STATUSES } from '../../../api/generated/definitions.gen.ts'
import { cx } from '../../../lib/cx.ts'
import { useLiveState } from '../../../live/live.ts'
import { FilterChip } from '../../../ui/controls/filters.tsx'
import { Status } from '../../../ui/data/status.tsx'
import { Time, TimeLeft } from '../../../ui/data/time.tsx'
import { EmptyState, ErrorState, NoMatch, Skeleton } from '../../../ui/states/list-states.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { Table } from '../../../ui/table/table.tsx'
import { useDeliveryTexts } from '../delivery/delivery-texts.ts'
import { type DetailSearch, HTTP_CLASSES } from '../search.ts'
import { filterDeliveries } from './filter-deliveries.ts'
import { PauseRow } from './pause-row.tsx'
import { placePauses } from './place-pauses.ts'

/** The hub keeps more, and shows this many. */
const LOG_LENGTH = 50

type DeliveryListProps = {
  webhook: Webhook
  deliveries: UseQueryResult<Delivery[]>
  pauses: readonly Pause[]
  search: DetailSearch
  onChange: (next: { [Key in keyof DetailSearch]?: DetailSearch[Key] | undefined }) => void
}

/** The newest deliveries of an endpoint. The hub keeps them in one page, so that the filters work on it. */
export function DeliveryList({ webhook, deliveries, pauses, search, onChange }: DeliveryListProps) {
  const t = useDeliveryTexts()
  const { open, attempt: _, ...filters } = search
  const { status, event, http } = filters
  const rows = deliveries.data ?? []
  const shown = filterDeliveries(rows, filters)
  // Beside a filter, a gap would say something that it does not know.
  const isWhole = shown.length === rows.length
  const placed = isWhole ? placePauses(rows, pauses, rows.length >= LOG_LENGTH) : new Map()
  const kinds = [...new Set([...rows.map((row) => row.event), ...(event ? [event] : [])])].sort()
  const listPauseRows = (between: readonly Pause[] = []) =>
    between.length > 0 &&
    between.map((pause) => <PauseRow key={pause.from} pause={pause} webhook={webhook} isNarrow={open !== undefined} />)
  const clear = () => onChange({ status: undefined, event: undefined, http: undefined })
  return (
    <section aria-label={t('title')} className="flex min-h-0 flex-1 flex-col">
      <div className={cx('flex items-center gap-2 py-3 max-tablet:px-4', open === undefined ? 'px-8' : 'px-5')}>
        <FilterChip
          name={t('status')}
          value={status}
          options={DELIVERY_STATUSES.map((value) => ({ value, label: <Status status={value} /> }))}
          onChange={(value) => onChange({ status: value as DetailSearch['status'] })}
        />
        <FilterChip
          name={t('event')}
          value={event}
          options={kinds.map((value) => ({ value, label: <code className="font-mono text-meta">{value}</code> }))}
          onChange={(value) => onChange({ event: value })}
        />
        <FilterChip
          name={t('http')}
          value={http}
          options={HTTP_CLASSES.map((value) => ({ value, label: value === 'none' ? t('noResponse') : value }))}
          onChange={(value) => onChange({ http: value as DetailSearch['http'] })}
        />
        <LiveDot />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {deliveries.isPending ? (
          <Skeleton rowClass="h-9" />
        ) : deliveries.isError ? (
          <ErrorState title={t('loadFailed')} error={deliveries.error} onRetry={() => void deliveries.refetch()} />
        ) : rows.length === 0 ? (
          <>
            {pauses.map((pause) => (
              <PauseRow key={pause.from} pause={pause} webhook={webhook} isNarrow={false} />
            ))}
            <EmptyState title={t('none')}>{t('noneText')}</EmptyState>
          </>
        ) : shown.length === 0 ? (
          <NoMatch title={t('noMatch')} onClear={clear}>
            {t('noMatchText', { count: rows.length })}
          </NoMatch>
        ) : (
          <div className="pb-4">
            <Table
              label={t('title')}
              size="log"
              columns={listColumns(t, webhook, open !== undefined)}
              rows={shown}
              rowKey={({ id }) => id}
              rowLink={({ id }) => ({
                to: '/webhooks/$webhookId',
                params: { webhookId: webhook.id },
                search: { ...filters, open: id },
              })}
              openKey={open}
              between={(row) => listPauseRows(placed.get(row?.id))}
            />
            <p className={cx('pt-4 text-text-3 max-tablet:px-4', open === undefined ? 'px-8' : 'px-5')}>
              {t('newest')}
            </p>
          </div>
        )}
      </div>
    </section>
  )
}

/** Beside an open delivery there is room for the first columns only. */
function listColumns(t: ReturnType<typeof useDeliveryTexts>, webhook: Webhook, isNarrow: boolean): Column<Delivery>[] {
  const columns: Column<Delivery>[] = [
    {
      id: 'time',
      header: t('time'),
      className: isNarrow ? 'first:pl-5 max-tablet:first:pl-4' : 'first:pl-8 max-tablet:first:pl-4',
      cell: ({ created_at }) => (
        <span className="text-text-2">
          <Time at={created_at} precision="second" />
        </span>
      ),
    },
    {
      id: 'event',
      header: t('event'),
      cell: ({ event }) => (
        <code title={event} className="block max-w-32 truncate font-mono text-meta text-text">
          {event}
        </code>
      ),
    },
    {
      id: 'status',
      header: t('status'),
      cell: ({ status, next_attempt_at }) => (
        <span className="flex items-center gap-x-2 max-tablet:flex-col max-tablet:items-start">
          <Status status={status} />
          {status === 'retry' && webhook.status === 'active' && !isNarrow && (
            <span className="whitespace-nowrap text-text-3">
              <TimeLeft until={next_attempt_at} />
            </span>
          )}
        </span>
      ),
    },
  ]
  const attempts: Column<Delivery> = {
    id: 'attempts',
    header: isNarrow ? '#' : t('attempts'),
    isNumber: true,
    from: 'tablet',
    className: isNarrow ? 'max-wide:hidden last:pr-5' : '',
    cell: (row) => row.attempts,
  }
  if (isNarrow) return [...columns, attempts]
  return [
    ...columns,
    attempts,
    {
      id: 'result',
      header: t('result'),
      from: 'tablet',
      className: 'pl-8 last:pr-8',
      cell: ({ last_http_status, last_error_code }) => (
        <code className="font-mono text-meta">{last_error_code ?? last_http_status ?? '–'}</code>
      ),
    },
  ]
}

function LiveDot() {
  const t = useDeliveryTexts()
  const state = useLiveState()
  if (state === 'connecting') return null
  const isLive = state === 'live'
  return (
    <span className="ml-auto flex items-center gap-1.5 text-text-2">
      <span aria-hidden="true" className={cx('size-2 rounded-full', isLive ? 'bg-ok' : 'border-2 border-warn-mark')} />
      {isLive ? t('live') : t('notLive')}
    </span>
  )
}
