import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { defineTexts } from '../../lib/texts.ts'
import { Icon, type IconName } from '../icon.tsx'
import { Badge, type Tone } from './badge.tsx'

/** One map for all resources: a good status colors its icon only, trouble colors the word too. */
const LOOKS = {
  pending: { icon: 'ring-dashed', tone: 'quiet' },
  active: { icon: 'ring-tick', tone: 'good' },
  paid: { icon: 'ring-tick', tone: 'good' },
  succeeded: { icon: 'ring-tick', tone: 'good' },
  ok: { icon: 'ring-tick', tone: 'good' },
  sending: { icon: 'arc', tone: 'info' },
  processing: { icon: 'arc', tone: 'info' },
  retry: { icon: 'replay', tone: 'warn' },
  degraded: { icon: 'alert', tone: 'warn' },
  warning: { icon: 'alert', tone: 'warn' },
  past_due: { icon: 'alert', tone: 'warn' },
  pending_payment: { icon: 'clock', tone: 'warn' },
  open: { icon: 'clock', tone: 'warn' },
  failed: { icon: 'ring-cross', tone: 'danger' },
  dead: { icon: 'ring-cross', tone: 'danger' },
  failing: { icon: 'ring-cross', tone: 'danger' },
  disconnected: { icon: 'ring-cross', tone: 'danger' },
  suspended: { icon: 'ring-cross', tone: 'danger' },
  rejected: { icon: 'ring-cross', tone: 'danger' },
  uncollectible: { icon: 'ring-cross', tone: 'danger' },
  paused: { icon: 'ring-bars', tone: 'danger' },
  canceled: { icon: 'ring-minus', tone: 'quiet' },
  void: { icon: 'ring-minus', tone: 'quiet' },
  skipped: { icon: 'ring-minus', tone: 'quiet' },
  revoked: { icon: 'ring-minus', tone: 'quiet' },
  disabled: { icon: 'ring-minus', tone: 'quiet' },
  none: { icon: 'ring-minus', tone: 'quiet' },
  expired: { icon: 'clock', tone: 'quiet' },
  accepted: { icon: 'clock', tone: 'quiet' },
  sent: { icon: 'check', tone: 'quiet' },
  delivered: { icon: 'check-double', tone: 'quiet' },
  read: { icon: 'check-double', tone: 'good' },
  received: { icon: 'arrow-in', tone: 'quiet' },
  unknown: { icon: 'help', tone: 'warn' },
} as const satisfies Record<string, { icon: IconName; tone: 'good' | 'quiet' | 'info' | 'warn' | 'danger' }>

export type StatusName = keyof typeof LOOKS

const WORD = { good: 'text-text', quiet: 'text-text-2', info: 'text-info', warn: 'text-warn', danger: 'text-danger' }
const MARK = { ...WORD, good: 'text-ok' }
const BADGES: Record<keyof typeof WORD, Tone> = {
  good: 'accent',
  quiet: 'neutral',
  info: 'info',
  warn: 'warn',
  danger: 'danger',
}

const useStatusTexts = defineTexts('status')

/** The status that a response of the hub names, where it is one of those that have a look. */
export function isStatusName(name: string): name is StatusName {
  return Object.hasOwn(LOOKS, name)
}

export function useStatusText(): (status: StatusName) => string {
  return useStatusTexts()
}

/** Icon and word, in a row. `children` say more than the word alone. */
export function Status({ status, children }: { status: StatusName; children?: ReactNode }) {
  const t = useStatusTexts()
  const { icon, tone } = LOOKS[status]
  return (
    <span className={cx('inline-flex items-center gap-1.5 whitespace-nowrap', WORD[tone])}>
      <Icon name={icon} size={14} className={MARK[tone]} />
      {children ?? t(status)}
    </span>
  )
}

/** Icon and word on a soft ground, in a header. */
export function StatusBadge({ status, children }: { status: StatusName; children?: ReactNode }) {
  const t = useStatusTexts()
  const { icon, tone } = LOOKS[status]
  return (
    <Badge tone={BADGES[tone]} icon={icon}>
      {children ?? t(status)}
    </Badge>
  )
}

export function StatusIcon({ status, size = 14 }: { status: StatusName; size?: 12 | 14 | 16 | 20 }) {
  const { icon, tone } = LOOKS[status]
  return <Icon name={icon} size={size} className={MARK[tone]} />
}
