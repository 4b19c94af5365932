import { useEffect, useRef } from 'react'
import { cx } from '../../lib/cx.ts'

export type Slot = {
  number: number
  state: 'failed' | 'succeeded' | 'running' | 'next' | 'planned' | 'unused'
  /** In the slot: what came back, or that it is the next. */
  word: string
  /** Below the slot: when. */
  below: string
  /** On the line before the slot. */
  wait?: string | undefined
  /** The slot for readers of the screen. */
  label: string
  isSelected: boolean
  onSelect?: (() => void) | undefined
}

const LOOKS: Record<Slot['state'], string> = {
  failed: 'border-danger/40 bg-danger-soft text-danger',
  succeeded: 'border-accent-line bg-accent-soft text-accent',
  running: 'border-info bg-info-soft text-info',
  next: 'border-dashed border-warn bg-warn-soft text-warn',
  planned: 'border-dashed border-line-2 text-text-3',
  unused: 'border-dashed border-line text-text-3',
}
const LINES: Record<Slot['state'], string> = {
  failed: 'border-danger/40',
  succeeded: 'border-accent-line',
  running: 'border-info',
  next: 'border-dashed border-line-2',
  planned: 'border-dashed border-line-2',
  unused: 'border-dashed border-line',
}

/** A line with a slot for each attempt: past, now and planned. The waits stand on the line. */
export function AttemptStrip({ label, slots }: { label: string; slots: readonly Slot[] }) {
  const frame = useRef<HTMLDivElement>(null)
  const selected = slots.find(({ isSelected }) => isSelected)?.number
  // biome-ignore lint/correctness/useExhaustiveDependencies: where the line is too long, the selected slot is in sight.
  useEffect(() => {
    frame.current?.querySelector('[aria-pressed=true]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [selected])
  return (
    <div ref={frame} className="@container -mx-1 overflow-x-auto px-1 pt-1 pb-2">
      <ol aria-label={label} className="flex min-w-[640px] @max-[600px]:min-w-[720px]">
        {slots.map((slot) => (
          <li key={slot.number} className={cx('relative flex items-start', slot.wait !== undefined && 'flex-1')}>
            {slot.wait !== undefined && (
              <span className="relative mt-5 flex-1">
                <span className="absolute inset-x-0 -top-5 text-center text-axis whitespace-nowrap text-text-3">
                  {slot.wait}
                </span>
                <span className={cx('block border-t', LINES[slot.state])} />
              </span>
            )}
            <span className="flex w-12 flex-col items-center gap-1 @max-[700px]:w-10 @max-[600px]:w-12">
              <SlotBox {...slot} />
              <span className="text-axis whitespace-nowrap text-text-3">{slot.below}</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}

function SlotBox({ number, state, word, label, isSelected, onSelect }: Slot) {
  const look = cx(
    'flex h-10 w-full flex-col items-center justify-center rounded-control border',
    LOOKS[state],
    isSelected && 'outline-2 outline-accent',
  )
  const content = (
    <>
      <span aria-hidden="true" className="text-[10px] leading-3">
        {number}
      </span>
      <span
        aria-hidden="true"
        className={cx('font-mono font-medium', word.length > 4 ? 'text-[10px] leading-4' : 'text-meta')}
      >
        {word}
      </span>
      <span className="sr-only">{label}</span>
    </>
  )
  if (onSelect === undefined) return <span className={look}>{content}</span>
  return (
    <button type="button" aria-pressed={isSelected} onClick={onSelect} className={look}>
      {content}
    </button>
  )
}
