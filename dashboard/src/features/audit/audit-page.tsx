import type { AuditEntry } from '@hubline/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { hub } from '../../api/hub.ts'
import { useSession } from '../../api/session.ts'
import { settingsQuery } from '../../api/settings.ts'
import { useApiExample } from '../../lib/api-example.ts'
import { useLiveQueries } from '../../live/use-live-queries.ts'
import { FilterPick } from '../../ui/controls/filter-pick.tsx'
import { FilterChip } from '../../ui/controls/filters.tsx'
import { PageHeader } from '../../ui/data/card.tsx'
import { Time } from '../../ui/data/time.tsx'
import { EmptyState, ErrorState, NoMatch, Skeleton } from '../../ui/states/list-states.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { VirtualTable } from '../../ui/table/virtual-table.tsx'
import { ActorName } from './actor-name.tsx'
import { AuditDrawer } from './audit-drawer.tsx'
import { useAuditTexts } from './audit-texts.ts'
import { ExportButton } from './export-button.tsx'
import type { KnownName } from './known-names.ts'
import { type AuditSearch, toQuery } from './search.ts'
import { TargetCell } from './target-cell.tsx'
import { useTargetName } from './target-name.ts'
import { useKnownNames } from './use-known-names.ts'

const route = getRouteApi('/shell/audit-log')
const PAGE_SIZE = 100
const SETTINGS_FRESH_MS = 60_000
/** Beside the open drawer the columns on the right have no room: the drawer has what they say. */
const COLUMNS_BESIDE_DRAWER = 3

export function AuditPage() {
  const t = useAuditTexts()
  const nameTarget = useTargetName()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const query = toQuery(search, new Date())
  const { organization } = useSession()
  const settings = useQuery({ ...settingsQuery(organization.id), staleTime: SETTINGS_FRESH_MS })
  const days = settings.data?.retention.audit_days
  const entries = useInfiniteQuery({
    queryKey: ['audit', query],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) => hub.auditLog.list({ ...query, limit: PAGE_SIZE, cursor }).firstPage(),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  useLiveQueries(['audit'], ({ kind }) => kind === 'channel.updated' || kind === 'endpoint.updated')
  useApiExample({
    method: 'GET',
    path: `/api/v1/audit-log?${new URLSearchParams({ ...query, limit: '50' })}`,
    sdk: `for await (const entry of hub.auditLog.list(${JSON.stringify(query)})) console.log(entry)`,
  })

  function filter(change: Partial<Record<keyof AuditSearch, string | undefined>>): void {
    void navigate({ search: (before) => dropUnset({ ...before, open: undefined, ...change }) })
  }
  const rows = entries.data?.pages.flatMap(({ items }) => items) ?? []
  const open = rows.find(({ id }) => id === search.open)
  const isFiltered = Object.keys(query).length > 0
  const actions = [...new Set([...rows.map(({ action }) => action), ...(search.action ? [search.action] : [])])].sort()
  const { targets, actors } = useKnownNames(rows)
  const toChoice = ({ id, type, name }: (typeof targets)[number]) => ({
    value: id,
    label: name,
    hint: nameTarget(type),
  })
  const columns: Column<AuditEntry>[] = [
    {
      id: 'time',
      header: t('time'),
      cell: ({ created_at }) => <Time at={created_at} precision="second" />,
      className: 'w-36',
    },
    {
      id: 'action',
      header: t('action'),
      cell: ({ action }) => <code className="block truncate font-mono text-meta text-text">{action}</code>,
      className: 'w-64',
    },
    { id: 'actor', header: t('actor'), cell: ({ actor }) => <ActorName actor={actor} /> },
    {
      id: 'target',
      header: t('target'),
      cell: ({ target }) => <TargetCell target={target} names={targets} />,
      from: 'tablet',
    },
    { id: 'ip', header: t('ip'), cell: ({ ip }) => ip ?? '–', from: 'desktop' },
  ]

  return (
    <div className="flex h-full min-h-0">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-4 px-8 pt-8 [--inset:0px] max-tablet:px-4 max-tablet:pt-4">
        <PageHeader title={t('title')} aside={<ExportButton query={query} />}>
          {days === undefined ? t('subtitle') : t('subtitleDays', { count: days })}
        </PageHeader>
        <div className="flex flex-wrap gap-2">
          <FilterChip
            name={t('action')}
            value={search.action}
            options={actions.map((action) => ({
              value: action,
              label: <code className="font-mono text-meta">{action}</code>,
            }))}
            onChange={(action) => filter({ action })}
          />
          <FilterChip
            name={t('since')}
            value={search.since}
            options={(['day', 'week', 'month'] as const).map((value) => ({ value, label: t(`since.${value}`) }))}
            onChange={(since) => filter({ since })}
          />
          <FilterPick
            name={t('actor')}
            value={search.actor_id}
            choices={actors.map(toChoice)}
            onChange={(actor_id) => filter({ actor_id })}
          />
          <FilterPick
            name={t('target')}
            value={search.target_id}
            choices={targets.map(toChoice)}
            onChange={(target_id) => filter({ target_id })}
          />
        </div>
        {entries.isPending ? (
          <Skeleton rowClass="h-9" rows={14} />
        ) : entries.isLoadingError ? (
          <ErrorState title={t('failed')} error={entries.error} onRetry={() => void entries.refetch()} />
        ) : rows.length > 0 ? (
          <VirtualTable
            label={t('title')}
            columns={open ? columns.slice(0, COLUMNS_BESIDE_DRAWER) : columns}
            rows={rows}
            rowKey={({ id }) => id}
            rowLink={({ id }) => ({ to: '/audit-log', search: { ...search, open: id } })}
            openKey={search.open}
            phoneCell={(entry) => <PhoneRow entry={entry} names={targets} />}
            onEnd={() => {
              if (entries.hasNextPage && !entries.isFetchingNextPage) void entries.fetchNextPage()
            }}
          />
        ) : isFiltered ? (
          <NoMatch title={t('noMatch')} onClear={() => void navigate({ search: {} })} />
        ) : (
          <EmptyState title={t('empty')}>{t('emptyText')}</EmptyState>
        )}
      </div>
      {open && (
        <AuditDrawer entry={open} names={targets} onFilter={filter} onClose={() => filter({ open: undefined })} />
      )}
    </div>
  )
}

/** An entry in two lines. */
function PhoneRow({ entry, names }: { entry: AuditEntry; names: readonly KnownName[] }) {
  const { action, actor, target, created_at } = entry
  return (
    <span className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3">
      <code className="truncate font-mono text-meta text-text">{action}</code>
      <span className="text-right text-text-3">
        <Time at={created_at} precision="second" />
      </span>
      <ActorName actor={actor} />
      <span className="max-w-40 text-right text-text-3">
        <TargetCell target={target} names={names} />
      </span>
    </span>
  )
}

function dropUnset(search: Record<string, string | undefined>): AuditSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}
