import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { payloadQuery } from '../../../api/webhooks.ts'
import { shortenId } from '../../../lib/format.ts'
import { Id } from '../../../ui/controls/copy.tsx'
import { useDeliveryTexts } from './delivery-texts.ts'
import { decodeBase64 } from './request-text.ts'

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
  const source = payload && findSource(decodeBase64(payload.body_base64 ?? ''), payload.channel_id)
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
    </p>
  )
}

/** The message that an event is about, or else its channel. */
function findSource(
  body: string | undefined,
  channelId: string | null,
): { key: 'source' | 'sourceChannel'; link: LinkProps } | undefined {
  const messageId = readMessageId(body)
  if (messageId) return { key: 'source', link: { to: '/messages', search: { open: messageId } } }
  if (channelId) return { key: 'sourceChannel', link: { to: '/channels/$channelId', params: { channelId } } }
  return undefined
}

function readMessageId(body: string | undefined): string | undefined {
  try {
    const id: unknown = JSON.parse(body ?? '')?.data?.message?.id
    return typeof id === 'string' ? id : undefined
  } catch {
    // A raw body may be anything.
    return undefined
  }
}
