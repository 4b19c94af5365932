import type { ReactNode } from 'react'
import { Icon } from '../icon.tsx'

/** Rows that wait above a list while it is read. */
export function NewRowsPill({ onRelease, children }: { onRelease: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onRelease}
      className="touch-target inline-flex h-6 shrink-0 items-center gap-1.5 rounded-full bg-text px-3 font-medium text-surface shadow-2 max-tablet:h-7"
    >
      <Icon name="arrow-up" size={12} />
      {children}
    </button>
  )
}
