import type { LinkProps } from '@tanstack/react-router'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../../ui/icon.tsx'

type HealthStripProps = { icon: IconName; link: LinkProps; linkText: string; children: ReactNode }

/** One line about a part of the organization, and the way to its page. */
export function HealthStrip({ icon, link, linkText, children }: HealthStripProps) {
  return (
    <section className="flex min-w-0 items-center gap-5 rounded-card border border-line bg-surface px-4 py-3">
      <span className="flex size-7 shrink-0 items-center justify-center rounded-control bg-sunken text-text-2">
        <Icon name={icon} size={14} />
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-6 gap-y-2">{children}</div>
      <Link {...link} className="shrink-0 font-medium text-accent">
        {linkText}
      </Link>
    </section>
  )
}

export function HealthFigure({ value, label }: { value: ReactNode; label: string }) {
  return (
    <span className="flex flex-col">
      <output className="font-semibold text-text">{value}</output>
      <span className="text-meta text-text-3">{label}</span>
    </span>
  )
}
