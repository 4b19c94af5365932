import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'

export type Tab = { label: string; isCurrent: boolean; badge?: ReactNode } & LinkProps

/** Tabs are links: each has its own address. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav aria-label={label} className="-mb-px flex gap-5 overflow-x-auto">
      {tabs.map(({ label: text, isCurrent, badge, ...link }) => (
        <Link
          key={text}
          {...link}
          aria-current={isCurrent ? 'page' : undefined}
          className={cx(
            'flex h-9 shrink-0 items-center gap-2 border-b-2 font-medium max-tablet:h-11',
            isCurrent ? 'border-accent text-text' : 'border-transparent text-text-2 hover:text-text',
          )}
        >
          {text}
          {badge}
        </Link>
      ))}
    </nav>
  )
}
