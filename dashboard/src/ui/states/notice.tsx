import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { Icon, type IconName } from '../icon.tsx'

const TONES = {
  info: { box: 'bg-info-soft border-info/30', title: 'text-info', icon: 'help' },
  warn: { box: 'bg-warn-soft border-warn/30', title: 'text-warn', icon: 'alert' },
  danger: { box: 'bg-danger-soft border-danger/30', title: 'text-danger', icon: 'ring-cross' },
} as const

type NoticeProps = {
  tone: keyof typeof TONES
  title: ReactNode
  icon?: IconName
  action?: ReactNode
  children?: ReactNode
}

/** Stays where it is until its cause is gone. */
export function Notice({ tone, title, icon, action, children }: NoticeProps) {
  const { box, title: color, icon: usual } = TONES[tone]
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={cx('flex items-center gap-3 rounded-card border px-4 py-3 max-tablet:flex-wrap', box)}
    >
      <Icon name={icon ?? usual} size={16} className={color} />
      <p className="min-w-0 flex-1 text-text-2 max-tablet:basis-4/5">
        <strong className={cx('font-semibold', color)}>{title}</strong> {children}
      </p>
      {action}
    </div>
  )
}
