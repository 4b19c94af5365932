import type { Channel } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, notFound } from '@tanstack/react-router'
import { channelQuery, concernsChannel } from '../../../api/channels.ts'
import { useApiExample } from '../../../lib/api-example.ts'
import { useCrumb } from '../../../lib/crumb.ts'
import { formatPhone } from '../../../lib/format.ts'
import { isUuid } from '../../../lib/uuid.ts'
import { useLiveQueries } from '../../../live/use-live-queries.ts'
import { ButtonLink } from '../../../ui/controls/button.tsx'
import { Id } from '../../../ui/controls/copy.tsx'
import { type Tab, Tabs } from '../../../ui/controls/tabs.tsx'
import { Page, PageHeader } from '../../../ui/data/card.tsx'
import { Quality } from '../../../ui/data/quality.tsx'
import { StatusBadge } from '../../../ui/data/status.tsx'
import { ErrorState, Skeleton } from '../../../ui/states/list-states.tsx'
import { Mode } from '../mode.tsx'
import { ConnectTab } from './connect/connect-tab.tsx'
import { DangerTab } from './danger/danger-tab.tsx'
import { useDetailTexts } from './detail-texts.ts'
import { DiagnosticsTab } from './diagnostics/diagnostics-tab.tsx'
import { FailingCount } from './diagnostics/failing-count.tsx'
import { NumberTab } from './number/number-tab.tsx'
import { type ChannelTab, TABS } from './search.ts'
import { SummaryTab } from './summary/summary-tab.tsx'
import { TestTab } from './test-message/test-tab.tsx'
import { RegenerateCard } from './token/regenerate-card.tsx'
import { RevokeCard } from './token/revoke-card.tsx'

const route = getRouteApi('/shell/channels/$channelId')

const CONTENTS: Record<ChannelTab, (props: { channel: Channel }) => React.ReactNode> = {
  summary: SummaryTab,
  connect: ConnectTab,
  diagnostics: DiagnosticsTab,
  test: TestTab,
  number: NumberTab,
  token: TokenTab,
  danger: DangerTab,
}

export function ChannelPage() {
  const t = useDetailTexts()
  const { channelId } = route.useParams()
  // The hub would refuse it as invalid, which says nothing to a person.
  if (!isUuid(channelId)) throw notFound()
  const { tab = 'summary' } = route.useSearch()
  const query = useQuery(channelQuery(channelId))
  useLiveQueries(channelQuery(channelId).queryKey, concernsChannel(channelId))
  useCrumb(query.data?.name)
  useApiExample({
    method: 'GET',
    path: `/api/v1/channels/${channelId}`,
    sdk: `const { channel } = await hub.channels.get('${channelId}')`,
  })
  if (query.isPending) {
    return (
      <Page>
        <Skeleton rows={6} />
      </Page>
    )
  }
  if (query.isLoadingError) {
    return (
      <Page>
        <ErrorState title={t('failed')} error={query.error} onRetry={() => void query.refetch()} />
      </Page>
    )
  }
  const Content = CONTENTS[tab]
  return (
    <Page>
      <div className="flex flex-col gap-3 border-b border-line">
        <ChannelHeader channel={query.data} tab={tab} />
        <Tabs label={t('tabs')} tabs={listTabs(query.data, tab, t)} />
      </div>
      {/* A form keeps nothing of the channel that was shown before. */}
      <Content key={channelId} channel={query.data} />
    </Page>
  )
}

type Texts = ReturnType<typeof useDetailTexts>

/** Between them pages of their own, filtered by this channel. The danger is last. */
function listTabs({ id: channelId, phone_number_id }: Channel, current: ChannelTab, t: Texts): Tab[] {
  const tabs = TABS.map(
    (name): Tab => ({
      label: t(`tab.${name}`),
      isCurrent: name === current,
      badge: name === 'diagnostics' && <FailingCount channelId={channelId} />,
      to: '/channels/$channelId',
      params: { channelId },
      search: name === 'summary' ? {} : { tab: name },
    }),
  )
  const pages: Tab[] = [
    { label: t('messages'), isCurrent: false, to: '/messages', search: { channel_id: channelId } },
    { label: t('templates'), isCurrent: false, to: '/templates', search: { channel: channelId } },
  ]
  return phone_number_id === null ? tabs : tabs.toSpliced(TABS.indexOf('token'), 0, ...pages)
}

function ChannelHeader({ channel, tab }: { channel: Channel; tab: ChannelTab }) {
  const t = useDetailTexts()
  const { id, name, status, display_phone_number, quality_rating, waba_id, phone_number_id } = channel
  return (
    <PageHeader
      title={
        <>
          {name} <StatusBadge status={status} />
        </>
      }
      aside={
        tab !== 'test' && (
          <ButtonLink icon="send" to="/channels/$channelId" params={{ channelId: id }} search={{ tab: 'test' }}>
            {t('sendTest')}
          </ButtonLink>
        )
      }
    >
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
        {display_phone_number === null ? (
          <Labelled name="id" id={id} />
        ) : (
          <>
            <span className="text-text">{formatPhone(display_phone_number)}</span>
            <Quality rating={quality_rating} />
            <Mode channel={channel} />
            {waba_id && <Labelled name="waba_id" id={waba_id} />}
            {phone_number_id && <Labelled name="phone_number_id" id={phone_number_id} />}
          </>
        )}
      </div>
    </PageHeader>
  )
}

function Labelled({ name, id }: { name: string; id: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className="text-meta text-text-3">{name}</span>
      <Id id={id} />
    </span>
  )
}

function TokenTab({ channel }: { channel: Channel }) {
  return (
    <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] items-start gap-4 max-desktop:grid-cols-1">
      <RegenerateCard channel={channel} />
      <RevokeCard channel={channel} />
    </div>
  )
}
