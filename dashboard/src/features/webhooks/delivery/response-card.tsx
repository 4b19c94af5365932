import type { AttemptRecord } from '@hubline/sdk/console'
import { RESPONSE_BYTES_KEPT } from '../../../api/generated/definitions.gen.ts'
import { formatBytes } from '../../../lib/format.ts'
import { Badge } from '../../../ui/data/badge.tsx'
import { useDeliveryTexts } from './delivery-texts.ts'
import { ExchangeCard } from './exchange-card.tsx'
import { isSuccess } from './plan.ts'
import { countBytes, decodeBase64 } from './request-text.ts'

export function ResponseCard({ attempt }: { attempt: AttemptRecord }) {
  const t = useDeliveryTexts()
  const { http_status, response_headers, response_body_base64 } = attempt
  const base64 = response_body_base64 ?? ''
  const bytes = countBytes(base64)
  // The last character of what was cut may be cut too.
  const body = decodeBase64(base64) ?? (bytes === RESPONSE_BYTES_KEPT ? decodeBase64(base64.slice(0, -8)) : undefined)
  const note =
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
            {formatBytes(bytes)}
          </span>
        )
      }
      headers={response_headers}
      body={body}
      note={<span className="text-text-3">{note}</span>}
      copied={body ?? base64}
    />
  )
}
