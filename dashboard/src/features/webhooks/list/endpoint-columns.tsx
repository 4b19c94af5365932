import type { Webhook } from '@hubline/sdk/console'
import { EVENT_KINDS, FAILURES_MAX } from '../../../api/webhooks.ts'
import { formatMoment } from '../../../lib/format.ts'
import { Status } from '../../../ui/data/status.tsx'
import { TickMeter } from '../../../ui/data/tick-meter.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { useWebhooksTexts } from '../webhooks-texts.ts'

export function useEndpointColumns(): Column<Webhook>[] {
  const t = useWebhooksTexts()
  return [
    {
      id: 'name',
      header: t('name'),
      className: 'max-w-0 w-[34%]',
      cell: ({ name, url }) => (
        <>
          <span className="block truncate font-medium text-text">{name}</span>
          <span className="block truncate font-mono text-meta text-text-3">{url}</span>
        </>
      ),
    },
    { id: 'status', header: t('status'), cell: (webhook) => <EndpointStatus webhook={webhook} /> },
    { id: 'events', header: t('events'), cell: (webhook) => <EventKinds webhook={webhook} />, from: 'tablet' },
    {
      id: 'payload',
      header: t('payload'),
      from: 'desktop',
      cell: ({ payload_mode, delivery_format }) => (
        <span className="font-mono text-meta">
          {payload_mode}
          <span className="block text-text-3">{delivery_format}</span>
        </span>
      ),
    },
    {
      id: 'scope',
      header: t('scope'),
      from: 'desktop',
      cell: ({ all_channels, channel_ids }) =>
        all_channels ? t('allChannels') : t('channels', { count: channel_ids.length }),
    },
    {
      id: 'failures',
      header: t('failures'),
      from: 'tablet',
      cell: ({ consecutive_failures }) => <Failures count={consecutive_failures} />,
    },
  ]
}

/** The status, and why it is not active. */
function EndpointStatus({ webhook: { status, consecutive_failures, updated_at } }: { webhook: Webhook }) {
  const t = useWebhooksTexts()
  const at = formatMoment(updated_at)
  const isByHub = status === 'paused' && consecutive_failures >= FAILURES_MAX
  return (
    <>
      <Status status={status} />
      {status !== 'active' && (
        <span className="block text-meta text-text-3">
          {isByHub ? t('pausedByFailures', { limit: FAILURES_MAX, at }) : t('changedAt', { at })}
        </span>
      )}
    </>
  )
}

export function EventKinds({ webhook: { events } }: { webhook: Webhook }) {
  const t = useWebhooksTexts()
  const [first, ...more] = events
  if (first === undefined) return t('allKinds', { count: EVENT_KINDS.length })
  return (
    <span title={events.join(', ')} className="whitespace-nowrap">
      <code className="font-mono text-meta">{first}</code>
      {more.length > 0 && <span className="text-text-3"> +{more.length}</span>}
    </span>
  )
}

export function Failures({ count, isLong = false }: { count: number; isLong?: boolean }) {
  const t = useWebhooksTexts()
  return (
    <span className="flex items-center gap-2 whitespace-nowrap">
      <TickMeter used={count} limit={FAILURES_MAX} />
      <span>
        <span className="text-text">{Math.min(count, FAILURES_MAX)}</span>{' '}
        <span className="text-text-3">{t(isLong ? 'ofLimit' : 'ofLimitShort', { limit: FAILURES_MAX })}</span>
      </span>
    </span>
  )
}
