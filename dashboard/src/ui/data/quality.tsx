import { cx } from '../../lib/cx.ts'

const MARKS: Record<string, string> = { GREEN: 'bg-ok', YELLOW: 'bg-warn-mark', RED: 'bg-danger-mark' }

/** A quality rating as the upstream names it, with a dot. */
export function Quality({ rating }: { rating: string | null }) {
  if (rating === null) return <span className="text-text-3">–</span>
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap text-text">
      <span aria-hidden="true" className={cx('size-2 rounded-full', MARKS[rating] ?? 'border border-ctl')} />
      {rating}
    </span>
  )
}
