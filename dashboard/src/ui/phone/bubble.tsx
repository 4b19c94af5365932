import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { Icon, type IconName } from '../icon.tsx'

type BubbleProps = {
  /** True for a message of the person who holds the phone. */
  isOwn?: boolean
  isSelected?: boolean
  /** Time and ticks. */
  meta: ReactNode
  /** Below the text: buttons that the message offers. */
  actions?: ReactNode
  /** Over the lower edge. */
  badge?: ReactNode
  /** Beside the bubble, while it has the pointer or the focus. */
  aside?: ReactNode
  onSelect?: () => void
  selectLabel?: string
  children: ReactNode
}

export function Bubble(props: BubbleProps) {
  const { isOwn = false, isSelected = false, meta, actions, badge, aside, onSelect, selectLabel, children } = props
  return (
    <li className={cx('group flex items-center gap-1', isOwn && 'justify-end', badge !== undefined && 'mb-3')}>
      <div
        className={cx(
          'relative max-w-[82%] min-w-24 rounded-card text-text shadow-1',
          isOwn ? 'bg-chat-own' : 'bg-chat-other',
          isSelected && 'outline-2 outline-accent',
        )}
      >
        <div className="relative px-2.5 pt-1.5 pb-1">
          {children}
          <p className="mt-0.5 flex items-center justify-end gap-1 text-axis text-text-2">
            {/* Its target covers the text, not the buttons of the message. */}
            {onSelect && (
              <button
                type="button"
                aria-label={selectLabel}
                aria-pressed={isSelected}
                onClick={onSelect}
                className="absolute inset-0 rounded-card"
              />
            )}
            {meta}
          </p>
        </div>
        {actions && <div className="relative">{actions}</div>}
        {badge !== undefined && (
          <span
            className={cx(
              'absolute -bottom-3 flex h-5 items-center rounded-full border border-line bg-chat-other px-1.5 text-meta',
              isOwn ? 'right-2' : 'left-2',
            )}
          >
            {badge}
          </span>
        )}
      </div>
      {aside && (
        <span className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 max-tablet:opacity-100">
          {aside}
        </span>
      )}
    </li>
  )
}

type BubbleButtonProps = { icon?: IconName; disabled?: boolean; onClick?: () => void; children: ReactNode }

/** A button that a message offers; without `onClick` only its likeness. */
export function BubbleButton({ icon, disabled, onClick, children }: BubbleButtonProps) {
  const look =
    'flex min-h-9 w-full items-center justify-center gap-1.5 border-t border-line px-2 font-medium text-info max-tablet:min-h-11'
  const content = (
    <>
      {icon && <Icon name={icon} size={14} />}
      <span className="min-w-0 truncate">{children}</span>
    </>
  )
  if (onClick === undefined) return <span className={look}>{content}</span>
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={onClick}
      className={cx(look, 'last:rounded-b-card hover:bg-hover focus-visible:-outline-offset-2 disabled:text-text-3')}
    >
      {content}
    </button>
  )
}
