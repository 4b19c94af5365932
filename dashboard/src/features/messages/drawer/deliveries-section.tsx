import type { LinkedDelivery } from '@hubline/sdk/console'
import { Link } from '@tanstack/react-router'
import { formatDuration, formatNumber } from '../../../lib/format.ts'
import { Badge } from '../../../ui/data/badge.tsx'
import { isStatusName, Status } from '../../../ui/data/status.tsx'
import { TimeLeft } from '../../../ui/data/time.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { DrawerSection } from '../../../ui/overlays/drawer.tsx'
import { useDrawerTexts } from './drawer-texts.ts'
import type { MessageDetail } from './message-detail.ts'

/** The deliveries of the message's events, and how they went. */
export function DeliveriesSection({ message }: { message: MessageDetail }) {
  const t = useDrawerTexts()
  const { deliveries, deliveries_being_queued: beingQueued, paused_endpoints: paused } = message
  const delivered = new Set(
    deliveries.filter(({ status }) => status === 'succeeded').map(({ endpoint }) => endpoint.id),
  )
  return (
    <DrawerSection
      title={
        <>
          {t('deliveries')} <Badge>{formatNumber(deliveries.length)}</Badge>
        </>
      }
      aside={
        deliveries.length > 0 && (
          <Link to="/webhooks" className="font-medium text-accent">
            {t('openAll')}
          </Link>
        )
      }
    >
      {paused.length > 0 && (
        <div className="mb-3 flex gap-2 rounded-control border border-danger/30 bg-danger-soft p-3">
          <Icon name="ring-bars" size={14} className="mt-0.5 text-danger" />
          <div className="min-w-0">
            <p className="font-medium text-text">
              {t('deliveredTo', { count: delivered.size })}, {t('wasPaused', { count: paused.length })}
            </p>
            <p className="break-words text-text-2">
              {paused.map(({ id, name }, position) => (
                <span key={id}>
                  {position > 0 && ', '}
                  <Link to="/webhooks/$webhookId" params={{ webhookId: id }} className="font-medium text-accent">
                    {name}
                  </Link>
                </span>
              ))}
            </p>
          </div>
        </div>
      )}
      {deliveries.length === 0 && beingQueued === 0 && paused.length === 0 && (
        <p className="text-text-3">
          {t('noDeliveries')} {t('noDeliveriesLive')}
        </p>
      )}
      {deliveries.length > 0 && (
        <table className="w-full table-fixed" aria-label={t('deliveries')}>
          <colgroup>
            <col className="w-34" />
            <col />
            <col className="w-28" />
            <col className="w-14" />
            <col className="w-22" />
          </colgroup>
          <thead className="sr-only">
            <tr>
              <th scope="col">{t('event')}</th>
              <th scope="col">{t('endpoint')}</th>
              <th scope="col">Status</th>
              <th scope="col">{t('attempts')}</th>
              <th scope="col">{t('duration')}</th>
            </tr>
          </thead>
          <tbody>
            {deliveries.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} />
            ))}
          </tbody>
        </table>
      )}
      {beingQueued > 0 && <p className="pt-2 text-text-3">{t('beingQueued', { count: beingQueued })}</p>}
    </DrawerSection>
  )
}

function DeliveryRow({ delivery }: { delivery: LinkedDelivery }) {
  const t = useDrawerTexts()
  const { id, event, endpoint, status, attempts, duration_ms, next_attempt_at } = delivery
  const isWaiting = status === 'retry' || status === 'processing'
  return (
    <tr className="relative h-8 border-b border-line last:border-b-0 hover:bg-hover">
      <td className="truncate font-mono text-meta">
        <Link
          to="/webhooks/$webhookId"
          params={{ webhookId: endpoint.id }}
          search={{ open: id }}
          className="text-text after:absolute after:inset-0"
        >
          {event}
        </Link>
      </td>
      <td className="truncate pr-2">{endpoint.name}</td>
      <td>{isStatusName(status) ? <Status status={status} /> : status}</td>
      <td className="text-right whitespace-nowrap text-text-3">
        {isWaiting ? t('attemptsOf', { count: attempts }) : formatNumber(attempts)}
      </td>
      <td className="text-right text-meta whitespace-nowrap text-text-3">
        {status === 'retry' && next_attempt_at !== null ? (
          <TimeLeft until={next_attempt_at} past="–" />
        ) : duration_ms === null ? (
          '–'
        ) : (
          formatDuration(duration_ms)
        )}
      </td>
    </tr>
  )
}
