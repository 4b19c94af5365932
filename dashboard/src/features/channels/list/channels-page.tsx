import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { channelsQuery, concernsChannels } from '../../../api/channels.ts'
import { ACTIVITY_IDS_MAX, CHANNEL_STATUSES, QUALITY_RATINGS } from '../../../api/generated/definitions.gen.ts'
import { subscriptionQuery, useNewChannelRefusal } from '../../../api/subscription.ts'
import { useApiExample, writeCurl } from '../../../lib/api-example.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLiveQueries } from '../../../live/use-live-queries.ts'
import { Button, ButtonLink } from '../../../ui/controls/button.tsx'
import { CopyTextButton } from '../../../ui/controls/copy.tsx'
import { FilterChip, SearchBox } from '../../../ui/controls/filters.tsx'
import { Page, PageHeader } from '../../../ui/data/card.tsx'
import { useStatusText } from '../../../ui/data/status.tsx'
import { Age } from '../../../ui/data/time.tsx'
import { EmptyState, ErrorState, NoMatch, Skeleton } from '../../../ui/states/list-states.tsx'
import { useUiTexts } from '../../../ui/texts.ts'
import { useChannelsTexts } from '../channels-texts.ts'
import { CreateChannelFlow } from '../create/create-flow.tsx'
import { ChannelTable } from './channel-table.tsx'
import { Quota, QuotaLegend } from './quota.tsx'
import { type ChannelsSearch, filterChannels } from './search.ts'

const route = getRouteApi('/shell/channels')
const CREATE_BODY = { name: 'Padaria Pão da Vila', external_id: 'padaria-042' }

export function ChannelsPage() {
  const t = useChannelsTexts()
  const client = useQueryClient()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const channels = useQuery(channelsQuery)
  const subscription = useQuery(subscriptionQuery)
  const refusal = useNewChannelRefusal()
  useLiveQueries(channelsQuery.queryKey, concernsChannels)
  useLiveQueries(subscriptionQuery.queryKey, concernsChannels)
  useApiExample({
    method: 'GET',
    path: '/api/v1/channels',
    sdk: 'const channels = await hub.channels.list().toArray()',
  })

  const { limit, used } = subscription.data?.quotas.channels ?? { limit: null, used: 0 }
  const isFree = subscription.data?.subscription.plan === 'free'
  const isFull = limit !== null && used >= limit

  function change(changes: { [Key in keyof ChannelsSearch]?: ChannelsSearch[Key] | undefined }): void {
    void navigate({ search: (before) => ({ ...before, ...changes }) as ChannelsSearch, replace: true })
  }
  function refresh(): void {
    void client.invalidateQueries({ queryKey: channelsQuery.queryKey })
    void client.invalidateQueries({ queryKey: subscriptionQuery.queryKey })
  }

  const newButton = (
    <Button
      kind="primary"
      icon="plus"
      reason={refusal ?? (isFull ? t('all', { limit: formatNumber(limit) }) : undefined)}
      onClick={() => change({ create: true })}
    >
      {t('new')}
    </Button>
  )
  const isEmpty = channels.data?.length === 0
  return (
    <Page>
      <PageHeader
        title={t('title')}
        aside={
          <>
            {subscription.data && <Quota view={subscription.data} />}
            {!isEmpty && newButton}
            {isFull && <ButtonLink to="/usage">{t(isFree ? 'upgrade' : 'addConnections')}</ButtonLink>}
          </>
        }
      >
        {t('subtitle')}
      </PageHeader>
      {channels.isPending ? (
        <Skeleton rowClass="h-14" />
      ) : channels.isLoadingError ? (
        <ErrorState title={t('failed')} error={channels.error} onRetry={() => void channels.refetch()} />
      ) : isEmpty ? (
        <FirstChannel button={newButton} />
      ) : (
        <div className="flex flex-col gap-2">
          <Filters search={search} onChange={change} checkedAt={channels.dataUpdatedAt} onRefresh={refresh} />
          <Channels />
          <footer className="flex flex-wrap items-center justify-end gap-x-5 gap-y-1 pt-1 text-meta text-text-3">
            <span className="mr-auto">{t('count', { count: channels.data.length })}</span>
            {subscription.data && <QuotaLegend view={subscription.data} />}
            <span>{t('archived')}</span>
          </footer>
        </div>
      )}
      {search.create && refusal === undefined && (
        <CreateChannelFlow onClose={() => change({ create: undefined })} onCreated={refresh} />
      )}
    </Page>
  )
}

/** The hub lists all channels at once; a page shows as many as a browser draws without a pause. */
function Channels() {
  const t = useChannelsTexts()
  const u = useUiTexts()
  const [limit, setLimit] = useState(ACTIVITY_IDS_MAX)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const all = useQuery(channelsQuery).data ?? []
  const shown = filterChannels(all, search)
  if (shown.length > 0) {
    return (
      <>
        <ChannelTable channels={shown.slice(0, limit)} />
        {shown.length > limit && (
          <Button className="self-center" onClick={() => setLimit(limit + ACTIVITY_IDS_MAX)}>
            {u('loadMore')}
          </Button>
        )}
      </>
    )
  }
  return (
    <NoMatch title={t('noMatch')} onClear={() => void navigate({ search: {} })}>
      {t('noMatchText', { count: all.length })}
    </NoMatch>
  )
}

type FiltersProps = {
  search: ChannelsSearch
  checkedAt: number
  onChange: (changes: { [Key in keyof ChannelsSearch]?: ChannelsSearch[Key] | undefined }) => void
  onRefresh: () => void
}

function Filters({ search, checkedAt, onChange, onRefresh }: FiltersProps) {
  const t = useChannelsTexts()
  const statusText = useStatusText()
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox
        isWide
        label={t('search')}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q === '' ? undefined : q })}
      />
      <FilterChip
        name={t('status')}
        value={search.status}
        options={CHANNEL_STATUSES.map((value) => ({ value, label: statusText(value) }))}
        onChange={(status) => onChange({ status: status as ChannelsSearch['status'] })}
      />
      <FilterChip
        name={t('quality')}
        value={search.quality}
        options={QUALITY_RATINGS.map((value) => ({ value, label: value }))}
        onChange={(quality) => onChange({ quality: quality as ChannelsSearch['quality'] })}
      />
      <FilterChip
        name={t('coexistence')}
        value={search.coexistence}
        options={(['yes', 'no'] as const).map((value) => ({ value, label: t(value) }))}
        onChange={(coexistence) => onChange({ coexistence: coexistence as ChannelsSearch['coexistence'] })}
      />
      <span className="ml-auto flex items-center gap-2 text-meta text-text-3 max-tablet:hidden">
        <span>
          {t('checkedAgo')} <Age at={new Date(checkedAt).toISOString()} />
        </span>
        <Button kind="quiet" size="bar" icon="refresh" onClick={onRefresh}>
          {t('refresh')}
        </Button>
      </span>
    </div>
  )
}

function FirstChannel({ button }: { button: React.ReactNode }) {
  const t = useChannelsTexts()
  const u = useUiTexts()
  const curl = writeCurl({ method: 'POST', path: '/api/v1/channels', body: CREATE_BODY })
  return (
    <EmptyState
      title={t('first')}
      actions={
        <>
          {button}
          <CopyTextButton size="normal" text={curl} label={u('copyCurl')} />
        </>
      }
    >
      {t('firstText')}
    </EmptyState>
  )
}
