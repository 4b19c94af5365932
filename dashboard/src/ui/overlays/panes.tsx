import type { ReactNode } from 'react'

/** Two panes of a wide dialog; one below the other on a phone. */
export function Panes({ left, right }: { left: ReactNode; right: ReactNode }) {
  return (
    <div className="grid min-h-full grid-cols-[320px_1fr] max-tablet:grid-cols-1">
      <div className="flex min-w-0 flex-col gap-4 border-r border-line p-5 max-tablet:border-r-0 max-tablet:border-b">
        {left}
      </div>
      <div className="flex min-w-0 flex-col gap-4 p-5">{right}</div>
    </div>
  )
}
