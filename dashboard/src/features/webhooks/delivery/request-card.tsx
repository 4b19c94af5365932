import type { AttemptRecord } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { payloadQuery } from '../../../api/webhooks.ts'
import { formatBytes } from '../../../lib/format.ts'
import { ErrorState, Skeleton } from '../../../ui/states/list-states.tsx'
import { useDeliveryTexts } from './delivery-texts.ts'
import { ExchangeCard } from './exchange-card.tsx'
import { countBytes, decodeBase64 } from './request-text.ts'

type RequestCardProps = { webhookId: string; deliveryId: string; attempt: AttemptRecord | undefined }

export function RequestCard({ webhookId, deliveryId, attempt }: RequestCardProps) {
  const t = useDeliveryTexts()
  const payload = useQuery(payloadQuery(webhookId, deliveryId))
  if (payload.isPending) return <Skeleton rows={4} />
  if (payload.isError) {
    return <ErrorState title={t('bodyFailed')} error={payload.error} onRetry={() => void payload.refetch()} />
  }
  const base64 = payload.data.body_base64
  const body = base64 === null ? undefined : decodeBase64(base64)
  return (
    <ExchangeCard
      title={t('request')}
      meta={`POST${base64 === null ? '' : ` · ${formatBytes(countBytes(base64))}`}`}
      headers={attempt?.request_headers ?? null}
      body={body}
      note={base64 === null ? t('bodyGone') : body === undefined ? t('binary') : undefined}
      copied={body ?? base64 ?? ''}
    />
  )
}
