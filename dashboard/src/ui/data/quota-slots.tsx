import { cx } from '../../lib/cx.ts'

const SLOTS_MAX = 20

/** One block for each that may be used, up to twenty; a bar above that. */
export function QuotaSlots({ used, limit, included = limit }: { used: number; limit: number; included?: number }) {
  if (limit > SLOTS_MAX) {
    return (
      <progress
        max={limit}
        value={used}
        className="h-2 w-40 overflow-hidden rounded-badge accent-accent"
        aria-hidden="true"
      />
    )
  }
  return (
    <span aria-hidden="true" className="inline-flex gap-1">
      {Array.from({ length: limit }, (_, slot) => (
        <span
          key={slot}
          className={cx(
            'h-2 w-4 rounded-[2px]',
            slot >= used ? 'border border-line-2' : slot < included ? 'bg-accent' : 'bg-chart-2',
          )}
        />
      ))}
    </span>
  )
}
