import type { AttemptRecord } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { payloadQuery, revealedQuery } from '../../../api/webhooks.ts'
import { formatBytes } from '../../../lib/format.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { ErrorState, Skeleton } from '../../../ui/states/list-states.tsx'
import { handOver } from '../signature/handed-over.ts'
import { useDeliveryTexts } from './delivery-texts.ts'
import { ExchangeCard } from './exchange-card.tsx'
import { HiddenBody } from './hidden-body.tsx'
import { decodeBase64, writeHeaders } from './request-text.ts'

type RequestCardProps = { webhookId: string; deliveryId: string; attempt: AttemptRecord | undefined }

/** Shows the request. The body may have the content of a message, and is hidden until a person asks for it. */
export function RequestCard({ webhookId, deliveryId, attempt }: RequestCardProps) {
  const t = useDeliveryTexts()
  const payload = useQuery(payloadQuery(webhookId, deliveryId))
  const revealed = useQuery(revealedQuery(webhookId, deliveryId))
  if (payload.isPending) return <Skeleton rows={4} />
  if (payload.isLoadingError) {
    return <ErrorState title={t('bodyFailed')} error={payload.error} onRetry={() => void payload.refetch()} />
  }
  const { bytes, gone } = payload.data
  const base64 = revealed.data?.body_base64
  const body = typeof base64 === 'string' ? decodeBase64(base64) : undefined
  const isHidden = bytes !== null && base64 === undefined
  const note = isHidden ? (
    <HiddenBody of="request" webhookId={webhookId} deliveryId={deliveryId} />
  ) : bytes === null || base64 === null ? (
    // A body that was there a moment ago was erased meanwhile.
    t(`gone.${gone ?? 'erased'}`)
  ) : body === undefined ? (
    t('binary')
  ) : (
    attempt && <SignatureButton headers={attempt.request_headers ?? {}} body={body} />
  )
  const headers = attempt?.request_headers ?? null
  return (
    <ExchangeCard
      title={t('request')}
      meta={`POST${bytes === null ? '' : ` · ${formatBytes(bytes)}`}`}
      headers={headers}
      body={body}
      note={note}
      copied={body ?? writeHeaders(headers ?? {})}
    />
  )
}

/** To the tester with this very request. What it holds stays in memory, out of the address. */
function SignatureButton({ headers, body }: { headers: Record<string, unknown>; body: string }) {
  const t = useDeliveryTexts()
  const navigate = useNavigate()
  function open(): void {
    handOver({ headers: writeHeaders(headers), body })
    void navigate({ to: '/webhooks/signature' })
  }
  return (
    <Button size="bar" icon="shield" onClick={open}>
      {t('checkSignature')}
    </Button>
  )
}
