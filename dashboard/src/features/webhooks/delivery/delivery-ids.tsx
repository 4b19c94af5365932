import type { DeliveryPayload } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { payloadQuery } from '../../../api/webhooks.ts'
import { shortenId } from '../../../lib/format.ts'
import { Id } from '../../../ui/controls/copy.tsx'
import { useDeliveryTexts } from './delivery-texts.ts'

const LINK = 'text-accent hover:underline'

/** The ids of a delivery, and where it comes from. */
export function DeliveryIds({
  webhookId,
  deliveryId,
  onOpen,
}: {
  webhookId: string
  deliveryId: string
  onOpen: (deliveryId: string) => void
}) {
  const t = useDeliveryTexts()
  const { data: payload } = useQuery(payloadQuery(webhookId, deliveryId))
  const original = payload?.replay_of_delivery_id
  const source = payload && findSource(payload)
  const beingQueued = payload?.deliveries_being_queued ?? 0
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-text-3">
      <span className="inline-flex items-center gap-1">
        {t('delivery')} <Id id={deliveryId} isShort />
      </span>
      {payload && (
        <span className="inline-flex items-center gap-1">
          {t('eventId')} <Id id={payload.event_id} isShort />
        </span>
      )}
      {source && (
        <Link {...source.link} className={LINK}>
          {t(source.key)}
        </Link>
      )}
      {original && (
        <button type="button" className={LINK} onClick={() => onOpen(original)}>
          {t('replayOf')} <code className="font-mono text-meta">{shortenId(original)}</code>
        </button>
      )}
      {beingQueued > 0 && <span>{t('beingQueued', { count: beingQueued })}</span>}
    </p>
  )
}

/** The message that an event is about, or else its channel. */
function findSource({
  message_id,
  channel_id,
}: DeliveryPayload): { key: 'source' | 'sourceChannel'; link: LinkProps } | undefined {
  if (message_id) return { key: 'source', link: { to: '/messages', search: { open: message_id } } }
  if (channel_id)
    return { key: 'sourceChannel', link: { to: '/channels/$channelId', params: { channelId: channel_id } } }
  return undefined
}
