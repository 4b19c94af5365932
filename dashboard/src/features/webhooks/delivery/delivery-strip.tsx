import type { AttemptRecord, Delivery, Webhook } from '@hubline/sdk/console'
import { type ATTEMPT_ERRORS, DELIVERY_DEADLINE_MS, WAITS_MS } from '../../../api/generated/definitions.gen.ts'
import { formatClock, formatMoment } from '../../../lib/format.ts'
import { currentLocale } from '../../../lib/languages.ts'
import { TimeLeft } from '../../../ui/data/time.tsx'
import { AttemptStrip, type Slot } from '../../../ui/line/attempt-strip.tsx'
import { useDeliveryTexts } from './delivery-texts.ts'
import { ATTEMPTS_MAX, type PlannedAttempt, planAttempts } from './plan.ts'

type DeliveryStripProps = {
  delivery: Delivery
  attempts: readonly AttemptRecord[]
  endpointStatus: Webhook['status']
  selected: number | undefined
  onSelect: (attempt: number) => void
}

/** The text in a slot for a failure without a response. */
const SHORT: Record<string, string> = {
  TIMEOUT: shortenWait(DELIVERY_DEADLINE_MS),
  CONNECTION_FAILED: 'conn',
  TLS_FAILED: 'TLS',
  DNS_FAILED: 'DNS',
  DESTINATION_NOT_ALLOWED: 'addr',
  INTERRUPTED: 'stop',
  UNREADABLE: 'key',
} satisfies Record<(typeof ATTEMPT_ERRORS)[number], string>

export function DeliveryStrip({ delivery, attempts, endpointStatus, selected, onSelect }: DeliveryStripProps) {
  const t = useDeliveryTexts()
  const plan = planAttempts(delivery, attempts, endpointStatus)
  return (
    <section className="flex flex-col gap-2">
      <Headline delivery={delivery} endpointStatus={endpointStatus} />
      <AttemptStrip
        label={t('strip')}
        slots={plan.map((attempt) => toSlot(attempt, t, attempt.number === selected, onSelect))}
      />
    </section>
  )
}

type Texts = ReturnType<typeof useDeliveryTexts>

function toSlot(attempt: PlannedAttempt, t: Texts, isSelected: boolean, onSelect: (attempt: number) => void): Slot {
  const { number, state } = attempt
  const wait = WAITS_MS[number - 2]
  const common = { number, state, isSelected, wait: wait === undefined ? undefined : shortenWait(wait) }
  if (state === 'failed' || state === 'succeeded') {
    const { http_status, error_code } = attempt.record
    const word = http_status === null ? (SHORT[error_code ?? ''] ?? '!') : String(http_status)
    const label = t('slot', { number, what: error_code ?? word, when: formatMoment(attempt.at, 'second') })
    return { ...common, word, label, below: formatClock(attempt.at), onSelect: () => onSelect(number) }
  }
  const at = 'at' in attempt ? attempt.at : undefined
  const when = at === undefined ? '' : formatMoment(at)
  const word = { running: '…', next: t('nextShort'), planned: '–', unused: '–' }[state]
  const what = { running: t('now'), next: t('next'), planned: t('planned'), unused: t('unused') }[state]
  const below = state === 'running' ? t('now') : at === undefined ? '' : formatPlanned(at)
  return {
    ...common,
    word: state === 'next' && at === undefined ? t('held') : word,
    label: t('slot', { number, what, when }),
    below,
  }
}

/** `30 m`, `2 h`: the line between two slots is short. */
function shortenWait(ms: number): string {
  if (ms < 60_000) return `${ms / 1000} s`
  return ms < 3_600_000 ? `${ms / 60_000} m` : `${ms / 3_600_000} h`
}

/** A planned time may be later by a tenth, so that seconds would say too much. */
function formatPlanned(at: string): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString()
  if (isToday) return formatClock(at, 'minute')
  const day = new Intl.DateTimeFormat(currentLocale(), { weekday: 'short' }).format(new Date(at))
  return `${day.replace('.', '')} ${formatClock(at, 'minute')}`
}

function Headline({ delivery, endpointStatus }: { delivery: Delivery; endpointStatus: Webhook['status'] }) {
  const t = useDeliveryTexts()
  const { status, attempts, next_attempt_at } = delivery
  const isOpen = status === 'pending' || status === 'retry'
  if (isOpen && endpointStatus === 'paused') {
    return (
      <p>
        <strong className="font-semibold text-warn">{t('isHeld')}</strong>
      </p>
    )
  }
  if (status === 'retry') {
    return (
      <p>
        <strong className="font-semibold text-warn">
          {t('attemptOf', { number: attempts + 1, limit: ATTEMPTS_MAX })} <TimeLeft until={next_attempt_at} />
        </strong>{' '}
        <span className="text-text-3">{t('stretch')}</span>
      </p>
    )
  }
  const texts = {
    pending: t('isWaiting'),
    processing: t('isRunning', { number: attempts }),
    succeeded: t('isDelivered', { number: attempts }),
    dead: t('isDead', { limit: ATTEMPTS_MAX }),
    canceled: t('isCanceled', { number: attempts }),
  }
  return (
    <p>
      <strong className="font-semibold text-text">{texts[status]}</strong>
    </p>
  )
}
