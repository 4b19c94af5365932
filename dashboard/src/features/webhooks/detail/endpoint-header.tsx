import type { Pause, Webhook } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { channelsQuery } from '../../../api/channels.ts'
import { endpointFiguresQuery } from '../../../api/webhooks.ts'
import { formatMoment, formatPercent } from '../../../lib/format.ts'
import { useLiveFigures } from '../../../live/use-live-queries.ts'
import { ButtonLink } from '../../../ui/controls/button.tsx'
import { Id } from '../../../ui/controls/copy.tsx'
import { PageHeader } from '../../../ui/data/card.tsx'
import { StatusBadge } from '../../../ui/data/status.tsx'
import { Notice } from '../../../ui/states/notice.tsx'
import { EventKinds, Failures, Latency } from '../list/endpoint-columns.tsx'
import { useWebhooksTexts } from '../webhooks-texts.ts'
import { EndpointActions } from './endpoint-actions.tsx'
import { toMessageLog } from './pause-row.tsx'

/** `pause` is the one that lasts. */
export function EndpointHeader({ webhook, pause }: { webhook: Webhook; pause: Pause | undefined }) {
  const t = useWebhooksTexts()
  const figure = useQuery(endpointFiguresQuery).data?.get(webhook.id)
  useLiveFigures(endpointFiguresQuery.queryKey)
  return (
    <div className="flex flex-col gap-4 border-b border-line px-8 py-5 max-tablet:p-4">
      <PageHeader
        title={
          <>
            {webhook.name}
            <StatusBadge status={webhook.status} />
          </>
        }
        aside={<EndpointActions webhook={webhook} />}
      >
        <Id id={webhook.url} />
      </PageHeader>
      <dl className="flex flex-wrap gap-x-8 gap-y-3">
        <Fact name={t('succeeded')}>{figure?.success_rate == null ? '–' : formatPercent(figure.success_rate)}</Fact>
        <Fact name={t('p95Long')}>
          <Latency figure={figure} />
        </Fact>
        <Fact name={t('failures')}>
          <Failures count={webhook.consecutive_failures} isLong />
        </Fact>
        <Fact name={t('eventsShort')}>
          <EventKinds webhook={webhook} />
        </Fact>
        <Fact name="payload_mode">
          <code className="font-mono text-meta">{webhook.payload_mode}</code>
        </Fact>
        <Fact name="media_urls">
          <code className="font-mono text-meta">{webhook.media_urls}</code>
        </Fact>
        <Fact name="delivery_format">
          <code className="font-mono text-meta">{webhook.delivery_format}</code>
        </Fact>
        <Fact name={t('scope')}>
          <ChannelNames webhook={webhook} />
        </Fact>
        {webhook.previous_secret_valid_until && (
          <Fact name={t('previousSecret')}>
            {t('validUntil', { at: formatMoment(webhook.previous_secret_valid_until) })}
          </Fact>
        )}
      </dl>
      {webhook.status !== 'active' && (
        <Notice
          tone="warn"
          icon="ring-bars"
          title={webhook.status === 'paused' ? t('pausedTitle') : t('disabledTitle')}
          action={
            <ButtonLink size="bar" {...(pause ? toMessageLog(pause, webhook) : { to: '/messages' as const })}>
              {t('messageLog')}
            </ButtonLink>
          }
        >
          {webhook.status === 'paused' ? t('pausedNotice') : t('disabledNotice')}
        </Notice>
      )}
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-text-3">{name}</dt>
      <dd className="text-text">{children}</dd>
    </div>
  )
}

function ChannelNames({ webhook: { all_channels, channel_ids } }: { webhook: Webhook }) {
  const t = useWebhooksTexts()
  const { data: channels } = useQuery({ ...channelsQuery, enabled: !all_channels })
  if (all_channels) return t('allChannels')
  const first = channels?.find(({ id }) => id === channel_ids[0])
  if (first === undefined) return t('channels', { count: channel_ids.length })
  return (
    <>
      {first.name}
      {channel_ids.length > 1 && <span className="text-text-3"> +{channel_ids.length - 1}</span>}
    </>
  )
}
