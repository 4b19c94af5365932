import type { Pause, Webhook } from '@hubline/sdk/console'
import { Link } from '@tanstack/react-router'
import { FAILURES_MAX } from '../../../api/generated/definitions.gen.ts'
import { cx } from '../../../lib/cx.ts'
import { writeMoments } from '../../../lib/date-range.ts'
import { formatClock, formatMoment, formatNumber } from '../../../lib/format.ts'
import type { Translate } from '../../../lib/texts.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useWebhooksTexts } from '../webhooks-texts.ts'
import { useStatusChange } from './use-status-change.ts'

type Texts = ReturnType<typeof useWebhooksTexts>

/** The message log in the time of a pause, where the events are that were not sent. */
export function toMessageLog({ from, to }: Pick<Pause, 'from' | 'to'>, webhook: Webhook) {
  const [channelId, ...others] = webhook.channel_ids
  const isOfOne = !webhook.all_channels && channelId !== undefined && others.length === 0
  return {
    to: '/messages',
    search: { date: writeMoments(from, to), ...(isOfOne && { channel_id: channelId }) },
  } as const
}

/** `512`, `10,000+`, or undefined if nobody knows any more. */
export function writeCount({ events_not_sent, is_capped }: Pause): string | undefined {
  return events_not_sent === null ? undefined : `${formatNumber(events_not_sent)}${is_capped ? '+' : ''}`
}

export function writePauseTimes({ from, to }: Pause, t: Texts): string {
  if (to === null) return t('pausedSince', { from: formatMoment(from, 'second') })
  const isSameDay = new Date(from).toDateString() === new Date(to).toDateString()
  return t('pausedFromTo', {
    from: formatMoment(from, 'second'),
    to: isSameDay ? formatClock(to) : formatMoment(to, 'second'),
  })
}

export function writeCause({ cause, actor }: Pause, t: Texts): string {
  if (cause === 'failures') return t('pauseByFailures', { limit: FAILURES_MAX })
  return actor?.name ? t('pauseBy', { name: actor.name }) : t('pauseByPerson')
}

export function writeEnd({ ended_by }: Pause, t: Texts): string | undefined {
  return ended_by?.name ? t('resumedBy', { name: ended_by.name }) : undefined
}

export function writeNotSent(pause: Pause, t: Translate<'notSent' | 'notSentSoFar' | 'notSentUnknown'>): string {
  const shown = writeCount(pause)
  if (shown === undefined) return t('notSentUnknown')
  return t(pause.to === null ? 'notSentSoFar' : 'notSent', { count: pause.events_not_sent ?? 0, shown })
}

/** A pause among the deliveries: for as long as it lasted, there are none. */
export function PauseRow({ pause, webhook, isNarrow }: { pause: Pause; webhook: Webhook; isNarrow: boolean }) {
  const t = useWebhooksTexts()
  const isOpen = pause.to === null
  return (
    <div
      className={cx(
        'flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 border-b border-l-2 border-line border-l-danger-mark py-2 pr-8 max-tablet:px-4',
        isNarrow ? 'pl-[18px]' : 'pl-[30px]',
        isOpen ? 'bg-danger-soft' : 'hatched',
      )}
    >
      <Icon name="ring-bars" size={14} className="text-danger" />
      <span className="font-medium text-text">{writePauseTimes(pause, t)}</span>
      <span className="text-text-2">{writeCause(pause, t)}</span>
      <span aria-hidden="true" className="text-text-3">
        ·
      </span>
      <span className="font-medium text-text">{writeNotSent(pause, t)}</span>
      <span aria-hidden="true" className="text-text-3">
        ·
      </span>
      <Link {...toMessageLog(pause, webhook)} className="font-medium text-accent max-tablet:py-2">
        {t('messageLog')}
      </Link>
      <span className="ml-auto text-text-3">
        {isOpen ? webhook.status === 'paused' && <ResumeButton webhook={webhook} /> : writeEnd(pause, t)}
      </span>
    </div>
  )
}

function ResumeButton({ webhook }: { webhook: Webhook }) {
  const t = useWebhooksTexts()
  const { setStatus, refusal } = useStatusChange(webhook.id)
  return (
    <Button
      size="bar"
      icon="play"
      isBusy={setStatus.isPending}
      reason={refusal}
      onClick={() => setStatus.mutate('active')}
    >
      {t('resume')}
    </Button>
  )
}
