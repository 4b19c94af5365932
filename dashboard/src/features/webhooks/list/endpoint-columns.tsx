import type { EndpointFigure, Webhook } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { EVENT_KINDS } from '../../../api/events.ts'
import { FAILURES_MAX } from '../../../api/generated/definitions.gen.ts'
import { endpointFiguresQuery } from '../../../api/webhooks.ts'
import { cx } from '../../../lib/cx.ts'
import { formatDuration, formatMoment, formatPercent } from '../../../lib/format.ts'
import { useLiveFigures } from '../../../live/use-live-queries.ts'
import { Sparkline } from '../../../ui/charts/sparkline.tsx'
import { Status } from '../../../ui/data/status.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { useWebhooksTexts } from '../webhooks-texts.ts'

export function useEndpointColumns(): Column<Webhook>[] {
  const t = useWebhooksTexts()
  const { data: figures } = useQuery(endpointFiguresQuery)
  useLiveFigures(endpointFiguresQuery.queryKey)
  return [
    {
      id: 'name',
      header: t('name'),
      className: 'max-w-0 w-[30%] max-tablet:w-[62%]',
      cell: ({ name, url }) => (
        <>
          <span className="block truncate font-medium text-text">{name}</span>
          <span className="block truncate font-mono text-meta text-text-3">{url}</span>
        </>
      ),
    },
    { id: 'status', header: t('status'), cell: (webhook) => <EndpointStatus webhook={webhook} /> },
    {
      id: 'succeeded',
      header: t('succeeded'),
      from: 'desktop',
      cell: ({ id }) => <SuccessRate figure={figures?.get(id)} />,
    },
    {
      id: 'p95',
      header: t('p95'),
      isNumber: true,
      from: 'desktop',
      cell: ({ id }) => <Latency figure={figures?.get(id)} />,
    },
    {
      id: 'events',
      header: t('events'),
      from: 'tablet',
      cell: (webhook) => (
        <>
          <EventKinds webhook={webhook} />
          <span className="block text-meta text-text-3">
            {webhook.all_channels ? t('allChannels') : t('channels', { count: webhook.channel_ids.length })}
          </span>
        </>
      ),
    },
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

export function EventKinds({ webhook: { events } }: { webhook: Pick<Webhook, 'events'> }) {
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
        {isLong && <span className="text-text-3">{t('ofLimit', { limit: FAILURES_MAX })}</span>}
      </span>
    </span>
  )
}

/** Shows how many attempts of the last day succeeded, and their hours; for one that mostly fails, the hours of its failures. */
function SuccessRate({ figure }: { figure: EndpointFigure | undefined }) {
  const t = useWebhooksTexts()
  if (!figure || figure.success_rate === null) return <span className="text-text-3">{t('noAttempts')}</span>
  const isFailing = figure.failed > figure.succeeded
  return (
    <span className="flex items-center gap-3">
      <span className="w-14 text-text">{formatPercent(figure.success_rate)}</span>
      <span className="w-16 [&_svg]:h-6">
        {isFailing ? <Sparkline series={figure.failed_series} tone="danger" /> : <Sparkline series={figure.series} />}
      </span>
    </span>
  )
}

export function Latency({ figure }: { figure: EndpointFigure | undefined }) {
  return figure?.p95_ms == null ? '–' : formatDuration(figure.p95_ms)
}

/** A tick for each that counts up to a limit. The figure stands beside it. */
function TickMeter({ used, limit }: { used: number; limit: number }) {
  const color = used >= limit ? 'bg-danger-mark' : 'bg-warn-mark'
  return (
    <span aria-hidden="true" className="inline-flex gap-0.5">
      {Array.from({ length: limit }, (_, tick) => (
        <span key={tick} className={cx('h-3 w-1 rounded-[1px]', tick < used ? color : 'bg-line-2')} />
      ))}
    </span>
  )
}
