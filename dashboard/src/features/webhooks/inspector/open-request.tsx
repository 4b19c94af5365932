import type { InspectedDelivery, InspectedRequest, Inspector } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { hub } from '../../../api/hub.ts'
import { cx } from '../../../lib/cx.ts'
import { formatAge, formatBytes, formatClock, formatDuration } from '../../../lib/format.ts'
import { CopyTextButton } from '../../../ui/controls/copy.tsx'
import { Badge } from '../../../ui/data/badge.tsx'
import { JsonBlock } from '../../../ui/data/code.tsx'
import { TimeLeft } from '../../../ui/data/time.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ErrorState, Skeleton } from '../../../ui/states/list-states.tsx'
import { ATTEMPTS_MAX } from '../delivery/plan.ts'
import { decodeBase64, prettify, writeDeliveryCurl } from '../delivery/request-text.ts'
import { useInspectorTexts } from './inspector-texts.ts'

/** As in the signature tester and the guides. */
const TOLERANCE_SECONDS = 300
/** A place for the address of the reader's own server. */
const SERVER = 'http://localhost:3000/hook'
/** Each of the two values has one color, in the computation and in the headers. */
const TIMESTAMP_TINT = 'bg-warn-soft text-warn'
const DELIVERY_TINT = 'bg-info-soft text-info'
const TINTS: Record<string, string> = { 'X-Hub-Timestamp': TIMESTAMP_TINT, 'X-Hub-Delivery-Id': DELIVERY_TINT }

type OpenRequestProps = { inspector: Inspector; request: InspectedRequest }

/** One request: how its signature is verified, and what it consists of. Each look is audited, for it has the content of messages. */
export function OpenRequest({ inspector, request }: OpenRequestProps) {
  const t = useInspectorTexts()
  const { delivery_id, attempt } = request
  const inspected = useQuery({
    queryKey: ['inspected', delivery_id, attempt],
    queryFn: () => hub.console.revealInspected(delivery_id),
    staleTime: Number.POSITIVE_INFINITY,
    // It is kept no longer than it is shown.
    gcTime: 0,
  })
  if (inspected.isPending) return <Skeleton rows={6} />
  if (inspected.isLoadingError) {
    return <ErrorState title={t('openFailed')} error={inspected.error} onRetry={() => void inspected.refetch()} />
  }
  const { body_base64, verifications } = inspected.data
  const verification = verifications.find((one) => one.attempt === attempt)
  const body = body_base64 === null ? null : (decodeBase64(body_base64) ?? null)
  if (verification === undefined || body === null) return <p>{t('gone')}</p>
  return <Verified inspector={inspector} request={request} body={body} verification={verification} />
}

type VerifiedProps = OpenRequestProps & { body: string; verification: InspectedDelivery['verifications'][number] }

function Verified({ inspector, request, body, verification }: VerifiedProps) {
  const t = useInspectorTexts()
  const headers = Object.entries(verification.request_headers)
  const isFresh = verification.age_seconds <= TOLERANCE_SECONDS
  const isVerified = verification.is_equal && isFresh
  return (
    <div className="flex flex-col gap-5">
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h3 className="flex flex-wrap items-center gap-2">
            <code className="font-mono text-section text-text">{request.event}</code>
            {isVerified ? (
              <Badge tone="accent" icon="ring-tick">
                {t('verified')}
              </Badge>
            ) : (
              <Badge tone="danger" icon="ring-cross">
                {t('notVerified')}
              </Badge>
            )}
          </h3>
          <Outcome request={request} />
        </div>
        <CopyTextButton
          icon="terminal"
          label={t('copyCurl')}
          text={writeDeliveryCurl(SERVER, verification.request_headers, body)}
        />
      </header>
      <section className="flex flex-col gap-2">
        <h4 className="font-semibold text-text">{t('how')}</h4>
        <ol>
          <Stop number={1} title={t('join')}>
            <Tinted className={TIMESTAMP_TINT}>{String(verification.request_headers['X-Hub-Timestamp'])}</Tinted>.
            <Tinted className={DELIVERY_TINT}>{request.delivery_id}</Tinted>.
            <Tinted className="bg-accent-soft text-accent">{body.slice(0, 24)}…</Tinted>{' '}
            <span className="text-text-3">{request.bytes !== null && formatBytes(request.bytes)}</span>
          </Stop>
          <Stop
            number={2}
            title={
              <>
                {t('hmac')} <code className="font-mono text-meta">whsec_••••••••{inspector.secret_last4}</code>
              </>
            }
          >
            {verification.computed}
          </Stop>
          <Stop
            number={3}
            isWrong={!isVerified}
            title={
              verification.is_equal
                ? t(isFresh ? 'equal' : 'equalOld', { age: formatAge(verification.age_seconds * 1000) })
                : t('different')
            }
          >
            {String(verification.request_headers['X-Hub-Signature-256'])}
            <Icon
              name={isVerified ? 'check' : 'x'}
              size={14}
              className={cx('ml-2 inline', isVerified ? 'text-ok' : 'text-danger')}
            />
          </Stop>
        </ol>
      </section>
      <section className="flex flex-col gap-2">
        <h4 className="font-semibold text-text">{t('request')}</h4>
        <dl className="overflow-x-auto rounded-control border border-line bg-sunken p-3 font-mono text-meta">
          {headers.map(([name, value]) => (
            <div key={name} className="flex flex-wrap gap-x-2">
              <dt className="text-info">{name}:</dt>
              <dd className="min-w-0 break-all text-text">
                <Tinted className={TINTS[name] ?? ''}>{String(value)}</Tinted>
              </dd>
            </div>
          ))}
        </dl>
        <JsonBlock label={t('body')} value={prettify(body)} />
      </section>
    </div>
  )
}

function Outcome({ request }: { request: InspectedRequest }) {
  const t = useInspectorTexts()
  const { received_at, attempt, http_status, total_ms, delivery_status, next_attempt_at } = request
  const answered =
    http_status === null
      ? t('notAnswered')
      : t('answered', { status: http_status, time: formatDuration(total_ms ?? 0) })
  return (
    <p className="text-meta text-text-3">
      {formatClock(received_at, 'millisecond')} · {t('attempt', { number: attempt, limit: ATTEMPTS_MAX })} · {answered}
      {delivery_status === 'retry' && (
        <>
          {' · '}
          {t('next')} <TimeLeft until={next_attempt_at} />
        </>
      )}
    </p>
  )
}

function Tinted({ className, children }: { className: string; children: ReactNode }) {
  return <span className={cx('rounded-badge px-0.5', className)}>{children}</span>
}

type StopProps = { number: number; title: ReactNode; isWrong?: boolean; children: ReactNode }

/** A stop of the line, with the value that it yields. */
function Stop({ number, title, isWrong = false, children }: StopProps) {
  return (
    <li className="relative flex gap-3 pb-3 not-last:before:absolute not-last:before:top-6 not-last:before:bottom-0 not-last:before:left-[11px] not-last:before:w-0.5 not-last:before:bg-line">
      <span
        aria-hidden="true"
        className={cx(
          'relative flex size-6 shrink-0 items-center justify-center rounded-full border bg-surface text-meta font-semibold',
          isWrong ? 'border-danger text-danger' : 'border-accent text-accent',
        )}
      >
        {number}
      </span>
      <div className="min-w-0 flex-1">
        <p className="text-text-2">{title}</p>
        <p
          className={cx(
            'mt-1 rounded-control border p-2 font-mono text-meta break-all text-text',
            isWrong ? 'border-danger/30 bg-danger-soft' : 'border-line bg-sunken',
          )}
        >
          {children}
        </p>
      </div>
    </li>
  )
}
