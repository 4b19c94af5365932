import type { Channel } from '@hubline/sdk/console'
import { formatDuration, formatNumber, formatPhone } from '../../../lib/format.ts'
import { Quality } from '../../../ui/data/quality.tsx'
import { Status } from '../../../ui/data/status.tsx'
import { Time, useNow } from '../../../ui/data/time.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { type Column, CUT_ON_PHONES } from '../../../ui/table/columns.ts'
import { Table } from '../../../ui/table/table.tsx'
import { useChannelsTexts } from '../channels-texts.ts'
import { useKnownLink } from '../link/known-links.ts'
import { Mode } from '../mode.tsx'
import { ChannelMenu } from './channel-menu.tsx'
import { useActivity } from './use-activity.ts'

export function ChannelTable({ channels }: { channels: readonly Channel[] }) {
  const t = useChannelsTexts()
  const activity = useActivity(channels.map(({ id }) => id))
  const columns: Column<Channel>[] = [
    {
      id: 'name',
      header: t('channel'),
      className: `${CUT_ON_PHONES} wrap-anywhere tablet:min-w-48`,
      cell: ({ name, external_id, display_phone_number }) => (
        <>
          <span className="block font-medium">{name}</span>
          <span className="block font-mono text-meta text-text-3 max-tablet:hidden">{external_id}</span>
          <span className="hidden text-meta text-text-3 max-tablet:block">
            {display_phone_number === null ? t('noNumber') : formatPhone(display_phone_number)}
          </span>
        </>
      ),
    },
    { id: 'number', header: t('number'), from: 'tablet', cell: (channel) => <NumberCell channel={channel} /> },
    { id: 'status', header: t('status'), cell: ({ status }) => <Status status={status} /> },
    {
      id: 'quality',
      header: t('quality'),
      from: 'tablet',
      cell: ({ quality_rating }) => <Quality rating={quality_rating} />,
    },
    { id: 'mode', header: t('mode'), from: 'desktop', cell: (channel) => <Mode channel={channel} /> },
    {
      id: 'in',
      header: t('lastIn'),
      from: 'desktop',
      isNumber: true,
      cell: ({ id }) => <Moment at={activity?.get(id)?.last_inbound_at} />,
    },
    {
      id: 'out',
      header: t('lastOut'),
      from: 'desktop',
      isNumber: true,
      cell: ({ id }) => <Moment at={activity?.get(id)?.last_outbound_at} />,
    },
    {
      id: 'endpoints',
      header: t('endpoints'),
      from: 'desktop',
      isNumber: true,
      cell: ({ id }) => formatNumber(activity?.get(id)?.endpoints ?? 0),
    },
    {
      id: 'menu',
      header: '',
      isNumber: true,
      className: 'w-10 last:pr-2',
      cell: (channel) => <ChannelMenu channel={channel} />,
    },
  ]
  return (
    <Table
      label={t('title')}
      columns={columns}
      rows={channels}
      rowKey={({ id }) => id}
      rowLink={({ id }) => ({ to: '/channels/$channelId', params: { channelId: id } })}
      size="double"
    />
  )
}

function Moment({ at }: { at: string | null | undefined }) {
  return at ? <Time at={at} /> : <span className="text-text-3">–</span>
}

function NumberCell({ channel }: { channel: Channel }) {
  const { id, display_phone_number, verified_name } = channel
  if (display_phone_number === null) return <LinkLife channelId={id} />
  return (
    <>
      <span className="block text-text">{formatPhone(display_phone_number)}</span>
      <span className="block text-meta text-text-3">{verified_name}</span>
    </>
  )
}

/** A pending channel has no number. What it has is a link, and that has not long to live. */
function LinkLife({ channelId }: { channelId: string }) {
  const t = useChannelsTexts()
  const now = useNow(10_000)
  const link = useKnownLink(channelId)
  if (link === undefined) return <span className="text-text-3">{t('noNumber')}</span>
  const left = Date.parse(link.expires_at) - now
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon name="link" size={14} className="text-text-3" />
      {left > 0 ? t('linkLeft', { time: formatDuration(left) }) : t('linkEnded')}
    </span>
  )
}
