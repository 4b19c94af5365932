import type { ReactNode } from 'react'
import { formatClock } from '../../lib/format.ts'
import { initials } from '../data/initials.ts'
import { useNow } from '../data/time.tsx'

type PhoneFrameProps = {
  label: string
  /** Whom the chat is with. */
  name: string
  below: string
  /** At the right of the status line. */
  signal?: ReactNode
  footer?: ReactNode
  children: ReactNode
}

/** A likeness of a phone with a chat. It fills the height that it is given. */
export function PhoneFrame({ label, name, below, signal, footer, children }: PhoneFrameProps) {
  const now = useNow(10_000)
  return (
    <section
      aria-label={label}
      className="flex min-h-0 flex-1 flex-col rounded-device border-8 border-device bg-device shadow-3 max-tablet:rounded-card max-tablet:border-2"
    >
      <div className="flex min-h-0 flex-1 flex-col overflow-hidden rounded-screen bg-chat max-tablet:rounded-control">
        <header className="bg-chat-bar text-white">
          <p className="flex h-9 items-center justify-between px-5 pt-1 text-meta font-semibold max-tablet:hidden">
            {formatClock(new Date(now), 'minute')}
            {signal}
          </p>
          <div className="flex items-center gap-3 px-4 py-2.5">
            <span
              aria-hidden="true"
              className="flex size-8 shrink-0 items-center justify-center rounded-full bg-white/20 text-meta font-semibold"
            >
              {initials(name)}
            </span>
            <div className="min-w-0 flex-1">
              <h2 className="truncate text-section font-semibold">{name}</h2>
              <p className="truncate text-meta">{below}</p>
            </div>
            <span className="hidden max-tablet:block">{signal}</span>
          </div>
        </header>
        {children}
        {footer}
      </div>
    </section>
  )
}
