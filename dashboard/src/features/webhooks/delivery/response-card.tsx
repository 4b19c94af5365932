import type { AttemptRecord } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { RESPONSE_BYTES_KEPT } from '../../../api/generated/definitions.gen.ts'
import { revealedQuery } from '../../../api/webhooks.ts'
import { formatBytes } from '../../../lib/format.ts'
import { Badge } from '../../../ui/data/badge.tsx'
import { useDeliveryTexts } from './delivery-texts.ts'
import { ExchangeCard } from './exchange-card.tsx'
import { HiddenBody } from './hidden-body.tsx'
import { isSuccess } from './plan.ts'
import { countBytes, decodeBase64, writeHeaders } from './request-text.ts'

type ResponseCardProps = { webhookId: string; deliveryId: string; attempt: AttemptRecord }

/** Shows the response. A receiver may repeat a message in it, so the body is hidden until a person asks for it. */
export function ResponseCard({ webhookId, deliveryId, attempt }: ResponseCardProps) {
  const t = useDeliveryTexts()
  const { data: revealed } = useQuery(revealedQuery(webhookId, deliveryId))
  const { number, http_status, response_headers, response_body_withheld } = attempt
  // An attempt that was made after the look is hidden again.
  const response = revealed?.responses.find((one) => one.number === number)
  const isHidden = response_body_withheld && response === undefined
  const base64 = (response ?? attempt).response_body_base64 ?? ''
  const bytes = countBytes(base64)
  // The last character of what was cut may be cut too.
  const body = decodeBase64(base64) ?? (bytes === RESPONSE_BYTES_KEPT ? decodeBase64(base64.slice(0, -8)) : undefined)
  const shown =
    http_status === null
      ? t('noAnswer')
      : bytes === 0
        ? t('empty')
        : body === undefined
          ? t('binary')
          : bytes < RESPONSE_BYTES_KEPT
            ? t('whole')
            : t('cut')
  return (
    <ExchangeCard
      title={t('response')}
      meta={
        http_status !== null && (
          <span className="inline-flex items-center gap-2">
            <Badge isCode tone={isSuccess(attempt) ? 'accent' : 'danger'}>
              {http_status}
            </Badge>
            {!isHidden && formatBytes(bytes)}
          </span>
        )
      }
      headers={response_headers}
      body={body}
      note={
        isHidden ? (
          <HiddenBody of="response" webhookId={webhookId} deliveryId={deliveryId} />
        ) : (
          <span className="text-text-3">{shown}</span>
        )
      }
      copied={isHidden ? writeHeaders(response_headers ?? {}) : (body ?? base64)}
    />
  )
}
