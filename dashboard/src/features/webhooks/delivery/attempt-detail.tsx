import type { AttemptRecord } from '@hubline/sdk/console'
import { ATTEMPT_ERRORS, DELIVERY_DEADLINE_MS } from '../../../api/generated/definitions.gen.ts'
import { formatClock, formatDuration, formatUtc } from '../../../lib/format.ts'
import { useDeliveryTexts } from './delivery-texts.ts'
import { ATTEMPTS_MAX, toStart } from './plan.ts'
import { RequestCard } from './request-card.tsx'
import { ResponseCard } from './response-card.tsx'
import { TimingBar } from './timing-bar.tsx'

type AttemptDetailProps = { webhookId: string; deliveryId: string; attempt: AttemptRecord | undefined }

/** Shows the request and the response of an attempt, side by side. */
export function AttemptDetail({ webhookId, deliveryId, attempt }: AttemptDetailProps) {
  const t = useDeliveryTexts()
  return (
    <>
      {attempt ? <AttemptLine attempt={attempt} /> : <p>{t('noAttempt')}</p>}
      <div className="grid grid-cols-2 items-start gap-3 max-tablet:grid-cols-1">
        <RequestCard webhookId={webhookId} deliveryId={deliveryId} attempt={attempt} />
        {attempt && <ResponseCard webhookId={webhookId} deliveryId={deliveryId} attempt={attempt} />}
      </div>
    </>
  )
}

function AttemptLine({ attempt }: { attempt: AttemptRecord }) {
  const t = useDeliveryTexts()
  const { number, error_code, address, timings } = attempt
  const started = toStart(attempt)
  const explained = ATTEMPT_ERRORS.find((code) => code === error_code)
  return (
    <section className="flex flex-col gap-2">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span>
          <strong className="font-semibold text-text">{t('attemptOf', { number, limit: ATTEMPTS_MAX })}</strong>{' '}
          <time dateTime={started} title={formatUtc(started)}>
            {formatClock(started, 'millisecond')}
          </time>
          {timings && (
            <>
              {' · '}
              {t('allowed', { time: formatDuration(timings.total_ms), limit: formatDuration(DELIVERY_DEADLINE_MS) })}
            </>
          )}
          {address && ` · ${t('to', { address })}`}
        </span>
        {error_code && <code className="font-mono text-meta text-danger">{error_code}</code>}
      </p>
      {explained && <p>{t(`error.${explained}`)}</p>}
      {timings ? <TimingBar timings={timings} /> : <p className="text-text-3">{t('noTimings')}</p>}
    </section>
  )
}
