import { useQuery } from '@tanstack/react-query'
import { useLiveQueries } from '../../../live/use-live-queries.ts'
import { IconButton } from '../../../ui/controls/button.tsx'
import { Id } from '../../../ui/controls/copy.tsx'
import { StatusBadge } from '../../../ui/data/status.tsx'
import { Drawer } from '../../../ui/overlays/drawer.tsx'
import { ErrorState, Skeleton } from '../../../ui/states/list-states.tsx'
import { DirectionIcon } from '../log/columns.tsx'
import { useTypeText } from '../message-type.ts'
import { useMessagesTexts } from '../messages-texts.ts'
import { usePersonText } from '../person.tsx'
import { ContentSection } from './content-section.tsx'
import { DeliveriesSection } from './deliveries-section.tsx'
import { DetailsSection } from './details-section.tsx'
import { DrawerActions } from './drawer-actions.tsx'
import { useDrawerTexts } from './drawer-texts.ts'
import { type MessageDetail, messageQuery } from './message-detail.ts'
import { StatusNotices } from './status-notices.tsx'
import { TimelineSection } from './timeline-section.tsx'
import { useReveal } from './use-reveal.ts'

type MessageDrawerProps = {
  id: string
  channelName: (id: string) => string | undefined
  onMove: (step: 1 | -1) => void
  onClose: () => void
}

/** When it happened, which endpoints received it, what it cost, and whether it is safe to send it again. */
export function MessageDrawer({ id, channelName, onMove, onClose }: MessageDrawerProps) {
  const t = useDrawerTexts()
  const m = useMessagesTexts()
  const { data, isError, error, refetch } = useQuery(messageQuery(id))
  const reveal = useReveal(id)
  useLiveQueries(['message', id], ({ kind, message_id, delivery_id }) => {
    if (message_id === id) return true
    if (kind === 'delivery.created') return (data?.deliveries_being_queued ?? 0) > 0
    return data?.deliveries.some((delivery) => delivery.id === delivery_id) ?? false
  })
  return (
    <Drawer
      label={m('title')}
      onClose={onClose}
      header={<DrawerHeader message={data} id={id} onMove={onMove} />}
      footer={data && <DrawerActions message={data} revealed={reveal.content} />}
    >
      {data !== undefined ? (
        <>
          <StatusNotices message={data} onCheck={() => void refetch()} />
          <TimelineSection message={data} />
          <DeliveriesSection message={data} />
          <ContentSection message={data} reveal={reveal} />
          <DetailsSection message={data} channelName={channelName(data.channel_id)} />
        </>
      ) : isError ? (
        <ErrorState title={t('failed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton rows={10} />
      )}
    </Drawer>
  )
}

type DrawerHeaderProps = { message: MessageDetail | undefined; id: string; onMove: (step: 1 | -1) => void }

function DrawerHeader({ message, id, onMove }: DrawerHeaderProps) {
  const t = useDrawerTexts()
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-start justify-between gap-3">
        <h2 className="flex min-w-0 items-center gap-2 text-dialog font-semibold text-text">
          {message && (
            <>
              <DirectionIcon direction={message.direction} />
              <MessageTitle message={message} />
            </>
          )}
        </h2>
        <span className="flex gap-1">
          <IconButton icon="arrow-up" label={t('newer')} onClick={() => onMove(-1)} />
          <IconButton icon="arrow-down" label={t('older')} onClick={() => onMove(1)} />
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {message && <StatusBadge status={message.status} />}
        <Id id={id} />
      </div>
    </div>
  )
}

function MessageTitle({ message: { direction, type, person } }: { message: MessageDetail }) {
  const m = useMessagesTexts()
  const values = { type: useTypeText()(type), person: usePersonText()(person) }
  return <span className="truncate">{m(direction === 'inbound' ? 'fromPerson' : 'to', values)}</span>
}
