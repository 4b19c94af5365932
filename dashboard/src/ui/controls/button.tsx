import { Link, type LinkProps } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { useGoneSince } from '../../live/live.ts'
import { Icon, type IconName } from '../icon.tsx'
import { useUiTexts } from '../texts.ts'

type Look = {
  kind?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'bar' | 'normal' | 'form' | 'page'
  icon?: IconName
}

const SIZES = { bar: 'h-7 px-2', normal: 'h-8 px-3', form: 'h-9 px-4', page: 'h-12 px-5 text-section' }
const KINDS = {
  primary: 'bg-accent text-on-accent shadow-1 hover:brightness-110 border border-transparent',
  secondary: 'bg-surface text-text border border-line-2 shadow-1 hover:bg-hover',
  quiet: 'text-text-2 border border-transparent hover:bg-hover hover:text-text',
  danger: 'bg-surface text-danger border border-line-2 shadow-1 hover:bg-danger-soft',
}

function listClasses({ kind = 'secondary', size = 'normal' }: Look): string {
  const disabled =
    'disabled:bg-sunken disabled:text-text-3 disabled:border-line disabled:shadow-none disabled:brightness-100 aria-disabled:bg-sunken aria-disabled:text-text-3 aria-disabled:border-line aria-disabled:shadow-none aria-disabled:brightness-100'
  return cx(
    'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control font-medium whitespace-nowrap max-tablet:min-h-11',
    SIZES[size],
    KINDS[kind],
    disabled,
  )
}

type ButtonProps = Look & {
  children: ReactNode
  isBusy?: boolean
  /** The reason why it cannot be used. It is written beside the button, since a tooltip is hidden from many. */
  reason?: string | undefined
} & ButtonHTMLAttributes<HTMLButtonElement>

export function Button({ kind, size, icon, isBusy = false, reason: given, children, className, ...rest }: ButtonProps) {
  const t = useUiTexts()
  const isGone = useGoneSince() !== undefined
  // Opening and closing go on; what would change something waits.
  const isChange = kind === 'primary' || kind === 'danger' || rest.type === 'submit'
  const reason = given ?? (isGone && isChange ? t('whenBack') : undefined)
  const button = (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || reason !== undefined}
      // A disabled button loses the focus, so one that is busy ignores clicks instead; Enter in a form clicks too.
      onClick={isBusy ? (event) => event.preventDefault() : rest.onClick}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      className={cx(listClasses({ kind, size } as Look), className)}
    >
      {isBusy ? <Icon name="arc" size={14} className="turning" /> : icon && <Icon name={icon} size={14} />}
      {children}
    </button>
  )
  if (reason === undefined) return button
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {button}
      <span className="text-meta text-text-3">{reason}</span>
    </span>
  )
}

type ButtonLinkProps = Look & { children: ReactNode; className?: string } & LinkProps

/** A link that looks like a button: it leads to a page. */
export function ButtonLink({ kind, size, icon, children, className, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={cx(listClasses({ kind, size } as Look), className)}>
      {icon && <Icon name={icon} size={14} />}
      {children}
    </Link>
  )
}

type ButtonAnchorProps = Look & { children: ReactNode } & AnchorHTMLAttributes<HTMLAnchorElement>

/** A link that looks like a button and leads out of the dashboard, in a window of its own. */
export function ButtonAnchor({ kind, size, icon, children, className, ...rest }: ButtonAnchorProps) {
  return (
    <a target="_blank" rel="noreferrer" {...rest} className={cx(listClasses({ kind, size } as Look), className)}>
      {icon && <Icon name={icon} size={14} />}
      {children}
    </a>
  )
}

type IconButtonProps = { icon: IconName; label: string } & ButtonHTMLAttributes<HTMLButtonElement>

export function IconButton({ icon, label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={cx(
        'touch-target inline-flex size-7 shrink-0 items-center justify-center rounded-control text-text-2 hover:bg-hover hover:text-text disabled:text-text-3',
        className,
      )}
    >
      <Icon name={icon} size={16} />
    </button>
  )
}
