import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'

export type Stop = {
  id: string
  /** The content of the node. */
  mark: ReactNode
  title: ReactNode
  below?: ReactNode
  aside?: ReactNode
  /** A stop that has not been reached, or that cannot be judged. */
  isQuiet?: boolean
}

/** A line with stops, from top to bottom. */
export function Timeline({ label, stops }: { label: string; stops: readonly Stop[] }) {
  return (
    <ol aria-label={label}>
      {stops.map(({ id, mark, title, below, aside, isQuiet }) => (
        <li
          key={id}
          className={cx(
            'relative flex gap-3 pb-4 last:pb-0 not-last:before:absolute not-last:before:top-6 not-last:before:bottom-0 not-last:before:left-[11px] not-last:before:w-0.5 not-last:before:bg-line',
            isQuiet && 'text-text-3',
          )}
        >
          <span className="relative flex size-6 shrink-0 items-center justify-center rounded-full bg-sunken">
            {mark}
          </span>
          <div className="min-w-0 flex-1">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className={cx('font-medium', isQuiet ? 'text-text-3' : 'text-text')}>{title}</span>
              {aside !== undefined && <span className="text-right text-text-2">{aside}</span>}
            </div>
            {below !== undefined && <div className="text-text-2">{below}</div>}
          </div>
        </li>
      ))}
    </ol>
  )
}
