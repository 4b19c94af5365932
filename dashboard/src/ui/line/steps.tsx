import { cx } from '../../lib/cx.ts'
import { Icon } from '../icon.tsx'

type Step = { title: string; below?: string; isDone: boolean }

/** A line with numbered stops, from left to right. */
export function Steps({ label, steps }: { label: string; steps: readonly Step[] }) {
  return (
    <ol aria-label={label} className="flex max-tablet:flex-col max-tablet:gap-3">
      {steps.map(({ title, below, isDone }, position) => (
        <li
          key={title}
          className="relative flex-1 pr-4 not-last:before:absolute not-last:before:top-3 not-last:before:right-0 not-last:before:left-7 not-last:before:border-t not-last:before:border-dashed not-last:before:border-line-2 max-tablet:before:hidden"
        >
          <span
            className={cx(
              'flex size-6 items-center justify-center rounded-full border text-meta font-semibold',
              isDone ? 'border-accent bg-accent text-on-accent' : 'border-line-2 text-text-2',
            )}
          >
            {isDone ? <Icon name="check" size={12} /> : position + 1}
          </span>
          <span className="mt-2 block font-medium text-text">{title}</span>
          {below !== undefined && <span className="block text-meta text-text-3">{below}</span>}
        </li>
      ))}
    </ol>
  )
}
