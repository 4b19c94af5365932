import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { Icon, type IconName } from '../icon.tsx'

const TONES = {
  neutral: 'bg-sunken text-text-2',
  outline: 'border border-line-2 text-text-2',
  accent: 'bg-accent-soft text-accent',
  info: 'bg-info-soft text-info',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-danger-soft text-danger',
}
export type Tone = keyof typeof TONES

export function Badge({
  tone = 'neutral',
  icon,
  isCode = false,
  children,
}: {
  tone?: Tone
  icon?: IconName
  isCode?: boolean
  children: ReactNode
}) {
  return (
    <span
      className={cx(
        'inline-flex h-5 shrink-0 items-center gap-1 rounded-badge px-1.5 text-meta font-medium whitespace-nowrap',
        TONES[tone],
        isCode && 'font-mono',
      )}
    >
      {icon && <Icon name={icon} size={12} />}
      {children}
    </span>
  )
}
