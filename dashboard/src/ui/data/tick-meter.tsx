import { cx } from '../../lib/cx.ts'

/** A tick for each that counts up to a limit. The figure stands beside it. */
export function TickMeter({ used, limit }: { used: number; limit: number }) {
  const color = used >= limit ? 'bg-danger-mark' : 'bg-warn-mark'
  return (
    <span aria-hidden="true" className="inline-flex gap-0.5">
      {Array.from({ length: limit }, (_, tick) => (
        <span key={tick} className={cx('h-3 w-1 rounded-[1px]', tick < used ? color : 'bg-line-2')} />
      ))}
    </span>
  )
}
