import type { ConsoleDelivery, Pause, Webhook } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { channelsQuery } from '../../../api/channels.ts'
import { EVENT_KINDS, isInMode } from '../../../api/events.ts'
import { DELIVERY_STATUSES } from '../../../api/generated/definitions.gen.ts'
import { cx } from '../../../lib/cx.ts'
import { formatPhone } from '../../../lib/format.ts'
import { useLiveState } from '../../../live/live.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FilterBar } from '../../../ui/controls/filter-bar.tsx'
import { FilterDates } from '../../../ui/controls/filter-dates.tsx'
import { FilterChip } from '../../../ui/controls/filters.tsx'
import { Status } from '../../../ui/data/status.tsx'
import { Time, TimeLeft } from '../../../ui/data/time.tsx'
import { EmptyState, ErrorState, FailureNotice, NoMatch, Skeleton } from '../../../ui/states/list-states.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { Table } from '../../../ui/table/table.tsx'
import { useDeliveryTexts } from '../delivery/delivery-texts.ts'
import type { DetailSearch } from '../search.ts'
import { HttpFilter } from './http-filter.tsx'
import { PauseRow } from './pause-row.tsx'
import { placePauses } from './place-pauses.ts'
import type { DeliveryPage } from './use-delivery-page.ts'

type Change = (next: { [Key in keyof DetailSearch]?: DetailSearch[Key] | undefined }) => void

type DeliveryListProps = {
  webhook: Webhook
  deliveries: DeliveryPage
  pauses: readonly Pause[]
  search: DetailSearch
  onChange: Change
}

/** The deliveries of an endpoint, page by page, as far back as they are kept. */
export function DeliveryList(props: DeliveryListProps) {
  const t = useDeliveryTexts()
  const { webhook, deliveries, search, onChange } = props
  const isNarrow = search.open !== undefined
  return (
    <section
      aria-label={t('title')}
      className={cx(
        'flex min-h-0 flex-1 flex-col max-tablet:[--inset:16px]',
        isNarrow ? '[--inset:20px]' : '[--inset:32px]',
      )}
    >
      <div className={cx('flex items-start gap-2 py-3 max-tablet:px-4', isNarrow ? 'px-5' : 'px-8')}>
        <div className="min-w-0 flex-1">
          <DeliveryFilters webhook={webhook} search={search} onChange={onChange} />
        </div>
        <LiveDot />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {deliveries.page.isPending ? (
          <Skeleton rowClass="h-9" />
        ) : deliveries.page.isLoadingError ? (
          <ErrorState
            title={t('loadFailed')}
            error={deliveries.page.error}
            onRetry={() => void deliveries.page.refetch()}
          />
        ) : (
          <DeliveryRows {...props} />
        )}
      </div>
    </section>
  )
}

type DeliveryFiltersProps = { webhook: Webhook; search: DetailSearch; onChange: Change }

function DeliveryFilters({ webhook, search, onChange }: DeliveryFiltersProps) {
  const t = useDeliveryTexts()
  const { data: channels = [] } = useQuery(channelsQuery)
  const { status, event, http, channel_id, date } = search
  const kinds = EVENT_KINDS.filter((kind) => isInMode(kind, webhook.payload_mode))
  const filters: { id: string; isSet: boolean; filter: ReactNode }[] = [
    {
      id: 'status',
      isSet: status !== undefined,
      filter: (
        <FilterChip
          name={t('status')}
          value={status}
          options={DELIVERY_STATUSES.map((value) => ({ value, label: <Status status={value} /> }))}
          onChange={(value) => onChange({ status: DELIVERY_STATUSES.find((one) => one === value) })}
        />
      ),
    },
    {
      id: 'date',
      isSet: date !== undefined,
      filter: <FilterDates value={date} onChange={(value) => onChange({ date: value })} />,
    },
    {
      id: 'event',
      isSet: event !== undefined,
      filter: (
        <FilterChip
          name={t('event')}
          value={event}
          options={kinds.map((value) => ({ value, label: <code className="font-mono text-meta">{value}</code> }))}
          onChange={(value) => onChange({ event: value })}
        />
      ),
    },
    {
      id: 'http',
      isSet: http !== undefined,
      filter: <HttpFilter value={http} onChange={(value) => onChange({ http: value })} />,
    },
    {
      id: 'channel',
      isSet: channel_id !== undefined,
      filter: (
        <FilterChip
          name={t('channel')}
          value={channel_id}
          options={channels.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(value) => onChange({ channel_id: value })}
        />
      ),
    },
  ]
  // Beside an open delivery there is room for those that are set.
  return <FilterBar filters={filters.map((one) => ({ ...one, isCommon: search.open === undefined }))} />
}

function DeliveryRows({ webhook, deliveries, pauses, search, onChange }: DeliveryListProps) {
  const t = useDeliveryTexts()
  const { data: channels = [] } = useQuery(channelsQuery)
  const { page, rows, number, below, hasOlder, isFiltered } = deliveries
  const { open, attempt: _, ...filters } = search
  const isNarrow = open !== undefined
  const names = new Map(channels.map(({ id, name }) => [id, name]))
  // Beside a filter, a gap would say something that it does not know.
  const placed = isFiltered ? new Map() : placePauses(rows, pauses, hasOlder, below)
  const listPauseRows = (between: readonly Pause[] = []) =>
    between.length > 0 &&
    between.map((pause) => <PauseRow key={pause.from} pause={pause} webhook={webhook} isNarrow={isNarrow} />)
  const clear = () =>
    onChange({ status: undefined, event: undefined, http: undefined, channel_id: undefined, date: undefined })

  if (rows.length === 0 && hasOlder) {
    return (
      <EmptyState
        title={t('noMatchYet')}
        actions={
          <>
            <Button isBusy={page.isFetching} onClick={deliveries.showOlder}>
              {t('lookFurther')}
            </Button>
            {number > 1 && <Button onClick={deliveries.showNewest}>{t('showNewest')}</Button>}
          </>
        }
      />
    )
  }
  if (rows.length === 0 && number > 1) {
    return <EmptyState title={t('end')} actions={<Button onClick={deliveries.showNewest}>{t('showNewest')}</Button>} />
  }
  if (rows.length === 0 && isFiltered) return <NoMatch title={t('noMatch')} onClear={clear} />
  if (rows.length === 0) {
    return (
      <>
        {pauses.map((pause) => (
          <PauseRow key={pause.from} pause={pause} webhook={webhook} isNarrow={false} />
        ))}
        <EmptyState title={t('none')}>{t('noneText')}</EmptyState>
      </>
    )
  }
  return (
    <div className="pb-4">
      {page.error && (
        <div className="px-8 pb-3 max-tablet:px-4">
          <FailureNotice error={page.error} />
        </div>
      )}
      <Table
        label={t('title')}
        size="log"
        columns={listColumns(t, webhook, names, isNarrow)}
        rows={rows}
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({
          to: '/webhooks/$webhookId',
          params: { webhookId: webhook.id },
          search: { ...filters, open: id },
        })}
        openKey={open}
        between={(row) => listPauseRows(placed.get(row?.id))}
      />
      <PageTurner deliveries={deliveries} isNarrow={isNarrow} />
    </div>
  )
}

/** The way to older deliveries and back. */
function PageTurner({ deliveries, isNarrow }: { deliveries: DeliveryPage; isNarrow: boolean }) {
  const t = useDeliveryTexts()
  const { page, rows, number, hasOlder, showNewer, showOlder, showNewest } = deliveries
  return (
    <nav
      aria-label={t('pages')}
      className={cx('flex flex-wrap items-center gap-2 pt-4 text-text-3 max-tablet:px-4', isNarrow ? 'px-5' : 'px-8')}
    >
      <span className="mr-auto">{t('pageOf', { number, count: rows.length })}</span>
      {number > 2 && (
        <Button size="bar" onClick={showNewest}>
          {t('showNewest')}
        </Button>
      )}
      <Button size="bar" icon="chevron-left" disabled={number === 1} onClick={showNewer}>
        {t('newer')}
      </Button>
      <Button size="bar" disabled={!hasOlder} isBusy={page.isPlaceholderData} onClick={showOlder}>
        {t('older')}
      </Button>
    </nav>
  )
}

type Texts = ReturnType<typeof useDeliveryTexts>

/** Beside an open delivery there is room for the first columns only. */
function listColumns(
  t: Texts,
  webhook: Webhook,
  channelNames: ReadonlyMap<string, string>,
  isNarrow: boolean,
): Column<ConsoleDelivery>[] {
  const columns: Column<ConsoleDelivery>[] = [
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
        <code
          title={event}
          className={cx(
            'block truncate font-mono text-meta text-text',
            isNarrow ? 'max-w-32' : 'max-w-44 max-tablet:max-w-32',
          )}
        >
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
  const attempts: Column<ConsoleDelivery> = {
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
    {
      id: 'channel',
      header: t('channel'),
      from: 'desktop',
      cell: ({ channel_id }) => (
        <span className="block max-w-40 truncate">
          {channel_id === null ? '–' : (channelNames.get(channel_id) ?? '–')}
        </span>
      ),
    },
    {
      id: 'person',
      header: t('person'),
      from: 'desktop',
      cell: ({ person }) => <Person person={person} />,
    },
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

/** The phone number, or the user id of those who show none. */
function Person({ person }: { person: ConsoleDelivery['person'] }) {
  if (person?.phone) return <span className="whitespace-nowrap">{formatPhone(person.phone)}</span>
  return <span className="block max-w-36 truncate font-mono text-meta">{person?.user_id ?? '–'}</span>
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
