import type { ReactNode } from 'react'

/** A part of the template: its name at the left, its fields at the right. */
export function EditorSection({ title, below, children }: { title: string; below?: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-[104px_1fr] gap-4 border-t border-line pt-5 max-tablet:grid-cols-1">
      <div>
        <h2 className="text-section font-semibold text-text">{title}</h2>
        {below !== undefined && <p className="text-text-3">{below}</p>}
      </div>
      <div className="flex min-w-0 flex-col gap-3">{children}</div>
    </section>
  )
}
