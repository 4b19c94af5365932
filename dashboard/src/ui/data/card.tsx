import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { formatClock } from '../../lib/format.ts'
import { useGoneSince } from '../../live/live.ts'
import { useUiTexts } from '../texts.ts'
import { Badge } from './badge.tsx'

/** A bordered part of a page. Cards do not stand in cards. */
export function Card({
  title,
  aside,
  footer,
  className,
  isFlush = false,
  children,
}: {
  title?: ReactNode
  aside?: ReactNode
  footer?: ReactNode
  className?: string
  isFlush?: boolean
  children: ReactNode
}) {
  return (
    <section className={cx('min-w-0 rounded-card border border-line bg-surface', className)}>
      {title !== undefined && (
        <header className="flex min-h-11 flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-2">
          <h2 className="flex items-center gap-2 text-section font-semibold text-text">{title}</h2>
          {aside}
        </header>
      )}
      <div className={isFlush ? 'peer [--inset:16px]' : 'peer p-4 [--inset:0px]'}>{children}</div>
      {footer && <footer className="border-t border-line px-4 py-3 peer-empty:border-t-0">{footer}</footer>}
    </section>
  )
}

export function PageHeader({ title, children, aside }: { title: ReactNode; children?: ReactNode; aside?: ReactNode }) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-3">
      <div className="min-w-0 tablet:flex-1 tablet:basis-80">
        <h1 className="flex flex-wrap items-center gap-3 text-page font-semibold tracking-[-0.015em] text-text">
          {title}
          <AsOf />
        </h1>
        {children && <div className="mt-1">{children}</div>}
      </div>
      {aside && <div className="flex flex-wrap items-center gap-2">{aside}</div>}
    </header>
  )
}

/** While the hub does not answer: how old everything on the page is. */
function AsOf() {
  const t = useUiTexts()
  const since = useGoneSince()
  if (since === undefined) return null
  return (
    <Badge tone="outline" icon="clock">
      {t('asOf', { at: formatClock(new Date(since)) })}
    </Badge>
  )
}

/** The usual page: a column with air around it. */
export function Page({ children }: { children: ReactNode }) {
  return <div className="flex flex-col gap-5 p-8 [--inset:0px] max-tablet:gap-4 max-tablet:p-4">{children}</div>
}

/** Names and values in two columns. */
export function Facts({ facts }: { facts: readonly (readonly [ReactNode, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[minmax(96px,auto)_1fr] gap-x-6 gap-y-2">
      {facts.map(([name, value], position) => (
        <div key={position} className="contents">
          <dt className="text-text-3">{name}</dt>
          <dd className="min-w-0 break-words text-text">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
