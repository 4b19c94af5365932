import type { ConsoleMessage } from '@hubline/sdk/console'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { writeCurl } from '../../../lib/api-example.ts'
import { Button, ButtonLink } from '../../../ui/controls/button.tsx'
import { CopyTextButton } from '../../../ui/controls/copy.tsx'
import { EmptyState, ErrorState, NoMatch, Skeleton } from '../../../ui/states/list-states.tsx'
import { NewRowsPill } from '../../../ui/table/new-rows-pill.tsx'
import type { Attention } from '../../../ui/table/use-attention.ts'
import { useIsTablet, VirtualTable } from '../../../ui/table/virtual-table.tsx'
import { useUiTexts } from '../../../ui/texts.ts'
import { useMessagesTexts } from '../messages-texts.ts'
import type { MessageSearch } from '../search.ts'
import { useLogColumns } from './columns.tsx'
import { FilterWords } from './filter-words.tsx'
import type { Arrivals, Log } from './live-tail.ts'
import { PhoneRow } from './phone-row.tsx'
import type { Names } from './use-names.ts'

/** If few messages match, a page may be empty and have a next one. After this many empty pages a person decides. */
const EMPTY_PAGES_MAX = 10

type LogTableProps = {
  log: UseInfiniteQueryResult<Log>
  rows: readonly ConsoleMessage[]
  search: MessageSearch
  arrivals: Arrivals
  attention: Attention
  channelNames: ReadonlyMap<string, string>
  names: Names
  onRelease: () => void
  onClear: () => void
}

/** The handlers stand around all states: a pointer that leaves while there are no rows has left. */
export function LogTable(props: LogTableProps) {
  return (
    <div
      className="flex min-h-0 flex-1 flex-col [--inset:32px] max-tablet:[--inset:16px]"
      {...props.attention.handlers}
    >
      <LogRows {...props} />
    </div>
  )
}

function LogRows({ log, rows, search, arrivals, attention, channelNames, names, onRelease, onClear }: LogTableProps) {
  const t = useMessagesTexts()
  const isNarrow = search.open !== undefined
  const isStacked = useIsTablet() || isNarrow
  const columns = useLogColumns(channelNames, names, { isNarrow, isStacked: isStacked && names.isShown })
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = log
  const pages = data?.pages ?? []
  const emptyPages = pages.length - 1 - pages.findLastIndex(({ items }) => items.length > 0)
  const isTired = emptyPages > 0 && emptyPages % EMPTY_PAGES_MAX === 0
  // Depends on the pages, so that it is called again after one that brought no row into sight.
  const loadMore = useCallback(() => {
    if (pages.length > 0 && hasNextPage && !isFetching && !isFetchNextPageError && !isTired) void fetchNextPage()
  }, [pages.length, hasNextPage, isFetching, isFetchNextPageError, isTired, fetchNextPage])

  if (log.isPending) return <Skeleton rows={16} rowClass="h-9 max-tablet:h-15" />
  if (log.isError && rows.length === 0) {
    return <ErrorState title={t('failed')} error={log.error} onRetry={() => void log.refetch()} />
  }
  if (rows.length === 0) return <NoRows {...{ log, search, channelNames, onClear, loadMore }} />
  return (
    <VirtualTable
      label={t('title')}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      rowLink={({ id }) => ({ to: '/messages', search: { ...search, open: id }, replace: search.open !== undefined })}
      openKey={search.open}
      isTwoLined={isStacked && names.isShown}
      phoneCell={(message) => <PhoneRow message={message} names={names} />}
      banner={arrivals.rows.length > 0 && <NewRowsBanner arrivals={arrivals} onRelease={onRelease} />}
      footer={<LogEnd log={log} isTired={isTired} />}
      onEnd={loadMore}
      onScroll={attention.onScroll}
    />
  )
}

/** Below the last row: what happens next, or that there is nothing more. */
function LogEnd({ log, isTired }: { log: UseInfiniteQueryResult<Log>; isTired: boolean }) {
  const t = useMessagesTexts()
  const u = useUiTexts()
  const row = 'flex h-12 items-center gap-3 px-8 text-text-3 max-tablet:px-4'
  if (log.isFetchNextPageError) {
    return (
      <p role="alert" className={row}>
        {t('failed')}
        <Button size="bar" icon="refresh" onClick={() => void log.fetchNextPage()}>
          {u('tryAgain')}
        </Button>
      </p>
    )
  }
  if (isTired && log.hasNextPage && !log.isFetching) {
    return (
      <p className={row}>
        <Button size="bar" onClick={() => void log.fetchNextPage()}>
          {t('lookFurther')}
        </Button>
      </p>
    )
  }
  return <p className={row}>{log.hasNextPage ? u('loading') : t('end')}</p>
}

type NoRowsProps = {
  log: UseInfiniteQueryResult<Log>
  search: MessageSearch
  channelNames: ReadonlyMap<string, string>
  onClear: () => void
  loadMore: () => void
}

/** Nothing was ever sent, nothing matches, or nothing matches yet. */
function NoRows({ log, search, channelNames, onClear, loadMore }: NoRowsProps) {
  const t = useMessagesTexts()
  const { open, ...filters } = search
  if (Object.keys(filters).length === 0) return <FirstRun />
  if (!log.hasNextPage) {
    return (
      <NoMatch title={t('noMatch')} onClear={onClear}>
        <FilterWords search={filters} channelNames={channelNames} />
      </NoMatch>
    )
  }
  return <StillLooking log={log} onClear={onClear} loadMore={loadMore} />
}

function StillLooking({ log, onClear, loadMore }: Omit<NoRowsProps, 'search' | 'channelNames'>) {
  const t = useMessagesTexts()
  const u = useUiTexts()
  useEffect(loadMore, [loadMore])
  return (
    <EmptyState
      title={t('noMatchYet')}
      actions={
        <>
          <Button isBusy={log.isFetching} onClick={() => void log.fetchNextPage()}>
            {log.isFetching ? t('lookingBack') : t('lookFurther')}
          </Button>
          <Button icon="x" onClick={onClear}>
            {u('clearFilters')}
          </Button>
        </>
      }
    />
  )
}

function FirstRun() {
  const t = useMessagesTexts()
  const u = useUiTexts()
  const body = { to: '5511955500199', type: 'text', text: { body: 'Hello' } }
  const curl = writeCurl({ method: 'POST', path: '/api/v1/channels/CHANNEL_ID/messages', body })
  return (
    <EmptyState
      title={t('firstTitle')}
      actions={
        <>
          <ButtonLink kind="primary" to="/channels">
            {t('openChannels')}
          </ButtonLink>
          <CopyTextButton size="normal" icon="terminal" text={curl} label={u('copyCurl')} />
        </>
      }
    >
      {t('firstText')}
    </EmptyState>
  )
}

/** Shows the number of messages that wait above the list. */
function NewRowsBanner({ arrivals, onRelease }: { arrivals: Arrivals; onRelease: () => void }) {
  const t = useMessagesTexts()
  const count = arrivals.rows.length
  return (
    <span role="status" className="flex items-center justify-center gap-3 px-4">
      <NewRowsPill onRelease={onRelease}>
        {arrivals.replacement === undefined ? t('newRows', { count }) : t('newRowsAtLeast', { count })}
      </NewRowsPill>
      <span className="text-meta text-text-3 max-tablet:hidden">{t('pausedReading')}</span>
      <span className="hidden text-meta text-text-3 max-tablet:inline">{t('pausedShort')}</span>
    </span>
  )
}
