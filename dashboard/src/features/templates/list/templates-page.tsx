import type { Channel } from '@hubline/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { channelsQuery } from '../../../api/channels.ts'
import { useApiExample } from '../../../lib/api-example.ts'
import { useLiveQueries } from '../../../live/use-live-queries.ts'
import { ButtonLink } from '../../../ui/controls/button.tsx'
import { FilterChip, SearchBox } from '../../../ui/controls/filters.tsx'
import { Badge } from '../../../ui/data/badge.tsx'
import { PageHeader } from '../../../ui/data/card.tsx'
import { StatusIcon } from '../../../ui/data/status.tsx'
import { EmptyState, ErrorState, NoMatch, Skeleton } from '../../../ui/states/list-states.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { Table } from '../../../ui/table/table.tsx'
import { groupByName, type TemplateGroup } from '../template.ts'
import { toLook } from '../template-look.ts'
import { templatesQuery } from '../templates-query.ts'
import { useTemplateTexts } from '../templates-texts.ts'
import { TemplateDrawer } from './template-drawer.tsx'

const route = getRouteApi('/shell/templates')

export function TemplatesPage() {
  const t = useTemplateTexts()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const channels = useQuery(channelsQuery)
  const connected = channels.data?.filter(({ waba_id, status }) => waba_id !== null && status !== 'pending') ?? []
  const channel = connected.find(({ id }) => id === search.channel) ?? connected[0]

  function change(next: Partial<typeof search>): void {
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true })
  }
  return (
    <div className="flex h-full min-h-0">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-4 overflow-y-auto p-8 [--inset:0px] max-tablet:p-4">
        <PageHeader
          title={t('title')}
          aside={
            channel && (
              <ButtonLink to="/templates/new" search={{ channel: channel.id }} kind="primary" icon="plus">
                {t('create')}
              </ButtonLink>
            )
          }
        >
          {t('subtitle')}
        </PageHeader>
        {channels.isPending ? (
          <Skeleton />
        ) : channels.isLoadingError ? (
          <ErrorState title={t('failed')} error={channels.error} onRetry={() => void channels.refetch()} />
        ) : channel === undefined ? (
          <EmptyState title={t('noChannel')} actions={<ButtonLink to="/channels">{t('channels')}</ButtonLink>}>
            {t('noChannelText')}
          </EmptyState>
        ) : (
          <>
            <div className="flex flex-wrap gap-2">
              <SearchBox label={t('search')} value={search.q ?? ''} onChange={(q) => change({ q })} />
              <FilterChip
                name={t('channel')}
                isRequired
                value={channel.id}
                options={connected.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={(id) => id && void navigate({ search: { channel: id } })}
              />
            </div>
            <TemplateList key={channel.id} channel={channel} />
          </>
        )}
      </div>
      {channel && <OpenTemplate channel={channel} />}
    </div>
  )
}

function TemplateList({ channel }: { channel: Channel }) {
  const t = useTemplateTexts()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const templates = useQuery(templatesQuery(channel.id))
  useLiveQueries(templatesQuery(channel.id).queryKey, ({ kind }) => kind === 'template.updated')
  useApiExample({
    method: 'GET',
    path: `/api/v1/channels/${channel.id}/templates`,
    sdk: `for await (const template of hub.templates.list('${channel.id}')) console.log(template)`,
  })
  if (templates.isPending) return <Skeleton />
  if (templates.isLoadingError) {
    return <ErrorState title={t('failed')} error={templates.error} onRetry={() => void templates.refetch()} />
  }
  const groups = groupByName(templates.data)
  const found = groups.filter(({ name }) => name.includes((search.q ?? '').toLowerCase()))
  const columns: Column<TemplateGroup>[] = [
    { id: 'name', header: t('name'), cell: ({ name }) => <code className="font-mono text-meta">{name}</code> },
    { id: 'category', header: t('category'), cell: ({ category }) => category, from: 'tablet' },
    { id: 'languages', header: t('languages'), cell: ({ languages }) => <Languages languages={languages} /> },
    {
      id: 'quality',
      header: t('quality'),
      cell: ({ languages }) => languages.find(({ quality }) => quality !== null)?.quality ?? '–',
      from: 'desktop',
    },
    {
      id: 'reason',
      header: t('reason'),
      cell: ({ languages }) => languages.find(({ reason }) => reason !== null)?.reason ?? '–',
      from: 'desktop',
    },
  ]
  if (groups.length === 0) {
    return (
      <EmptyState
        title={t('empty')}
        actions={
          <ButtonLink to="/templates/new" search={{ channel: channel.id }} kind="primary" icon="plus">
            {t('create')}
          </ButtonLink>
        }
      >
        {t('emptyText')}
      </EmptyState>
    )
  }
  if (found.length === 0) {
    return <NoMatch title={t('noMatch')} onClear={() => void navigate({ search: { channel: channel.id } })} />
  }
  return (
    <Table
      label={t('title')}
      columns={columns}
      rows={found}
      rowKey={({ name }) => name}
      rowLink={({ name }) => ({ to: '/templates', search: { ...search, open: name } })}
      openKey={search.open}
    />
  )
}

/** The template that the address names, beside the list. */
function OpenTemplate({ channel }: { channel: Channel }) {
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  const { data = [] } = useQuery(templatesQuery(channel.id))
  const group = groupByName(data).find(({ name }) => name === open)
  if (group === undefined) return null
  const close = () => void navigate({ search: ({ open: _, ...rest }) => rest })
  return <TemplateDrawer key={group.name} channel={channel} group={group} onClose={close} />
}

/** Each language with the status that it has there. */
function Languages({ languages }: { languages: TemplateGroup['languages'] }) {
  return (
    <span className="flex flex-wrap gap-2">
      {languages.map(({ id, language, status }) => (
        <Badge key={id} tone="outline">
          <StatusIcon status={toLook(status)} size={12} />
          {language} · {status}
        </Badge>
      ))}
    </span>
  )
}
