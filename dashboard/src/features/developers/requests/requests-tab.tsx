import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useSession } from '../../../api/session.ts'
import { writeCurl } from '../../../lib/api-example.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyTextButton } from '../../../ui/controls/copy.tsx'
import { CodeBlock } from '../../../ui/data/code.tsx'
import { EmptyState, ErrorState, NoMatch, Skeleton } from '../../../ui/states/list-states.tsx'
import { NewRowsPill } from '../../../ui/table/new-rows-pill.tsx'
import { Table } from '../../../ui/table/table.tsx'
import { useAttention } from '../../../ui/table/use-attention.ts'
import { type DevelopersSearch, toFilters } from '../search.ts'
import { ErrorGroups } from './error-groups.tsx'
import { useRequestColumns } from './request-columns.tsx'
import { RequestDrawer } from './request-drawer.tsx'
import { RequestFilterBar, type SearchChange } from './request-filters.tsx'
import { errorGroupsQuery } from './requests-query.ts'
import { useRequestsTexts } from './requests-texts.ts'
import { useRequestLog } from './use-request-log.ts'

const route = getRouteApi('/shell/developers')
const FIRST_REQUEST = { method: 'GET', path: '/api/v1/channels' } as const

export function RequestsTab() {
  const t = useRequestsTexts()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const organizationId = useSession().organization.id
  const filters = toFilters(search, new Date())
  const attention = useAttention()
  const { log, rows, hasNews, release } = useRequestLog(
    organizationId,
    filters,
    attention.isCalm && search.open === undefined,
  )
  const errors = useQuery(errorGroupsQuery(organizationId, filters.since))
  const columns = useRequestColumns(search.open !== undefined)

  /** Another filter begins another list, without a drawer. */
  function filter(change: SearchChange): void {
    void navigate({ search: ({ open: _, ...before }) => dropUnset({ ...before, ...change }) })
  }
  const close = useCallback(() => void navigate({ search: ({ open: _, ...before }) => before }), [navigate])

  return (
    <div className="flex min-h-0 flex-1">
      <div
        className="flex min-w-0 flex-1 flex-col gap-4 overflow-y-auto px-8 py-5 [--inset:0px] max-tablet:p-4"
        onScroll={({ currentTarget }) => attention.onScroll(currentTarget.scrollTop === 0)}
      >
        <p>{t('subtitle')}</p>
        <ErrorGroups groups={errors} search={search} />
        <RequestFilterBar search={search} rows={rows} errors={errors.data ?? []} onChange={filter} />
        {hasNews && (
          <span role="status" className="flex justify-center">
            <NewRowsPill onRelease={release}>{t('news')}</NewRowsPill>
          </span>
        )}
        {log.isPending ? (
          <Skeleton rowClass="h-9" rows={12} />
        ) : log.isError && rows.length === 0 ? (
          <ErrorState title={t('failed')} error={log.error} onRetry={() => void log.refetch()} />
        ) : rows.length > 0 ? (
          <div className="flex flex-col" {...attention.handlers}>
            <Table
              label={t('title')}
              size="log"
              columns={columns}
              rows={rows}
              rowKey={({ number }) => String(number)}
              rowLink={({ number }) => ({ to: '/developers', search: { ...search, open: number } })}
              openKey={search.open === undefined ? undefined : String(search.open)}
            />
            <p className="flex h-12 items-center text-text-3">
              {log.hasNextPage ? (
                <Button isBusy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                  {t('more')}
                </Button>
              ) : (
                t('end')
              )}
            </p>
          </div>
        ) : Object.keys(filters).length > 0 ? (
          <NoMatch title={t('noMatch')} onClear={() => void navigate({ search: {} })} />
        ) : (
          <FirstRun />
        )}
      </div>
      {search.open !== undefined && (
        <RequestDrawer
          key={search.open}
          number={search.open}
          loaded={rows.find(({ number }) => number === search.open)}
          organizationId={organizationId}
          onFilter={filter}
          onClose={close}
        />
      )}
    </div>
  )
}

function FirstRun() {
  const t = useRequestsTexts()
  const curl = writeCurl(FIRST_REQUEST)
  return (
    <EmptyState title={t('empty')} actions={<CopyTextButton text={curl} />}>
      <p>{t('emptyText')}</p>
      <CodeBlock code={curl} label="curl" />
    </EmptyState>
  )
}

function dropUnset(search: SearchChange): DevelopersSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}
