import type { AttemptRecord } from '@hubline/sdk/console'
import { DELIVERY_DEADLINE_MS } from '../../../api/generated/definitions.gen.ts'
import { cx } from '../../../lib/cx.ts'
import { formatDuration } from '../../../lib/format.ts'
import { useDeliveryTexts } from './delivery-texts.ts'

type Timings = NonNullable<AttemptRecord['timings']>

const COLORS = {
  dns: 'bg-chart-3',
  connect: 'bg-chart-2',
  firstByte: 'bg-accent',
  rest: 'bg-line-2',
  waited: 'bg-line-2',
} as const

/** Shows the phases of an attempt, and below them how much of the allowed time they took. */
export function TimingBar({ timings }: { timings: Timings }) {
  const t = useDeliveryTexts()
  const { dns_ms, connect_ms, first_byte_ms, total_ms } = timings
  const known = (dns_ms ?? 0) + (connect_ms ?? 0) + (first_byte_ms ?? 0)
  const parts = [
    ['dns', dns_ms],
    ['connect', connect_ms],
    ['firstByte', first_byte_ms],
    [first_byte_ms === null ? 'waited' : 'rest', Math.max(0, total_ms - known)],
  ] as const
  const shown = parts.filter((part): part is [(typeof part)[0], number] => part[1] !== null)
  return (
    <div className="flex flex-col gap-1">
      <div aria-hidden="true" className="flex h-2 gap-px">
        {shown.map(([key, ms]) => (
          <span key={key} className={cx('min-w-1 rounded-[2px]', COLORS[key])} style={{ flexGrow: Math.max(ms, 1) }} />
        ))}
      </div>
      <div aria-hidden="true" className="h-0.5 bg-line">
        <div
          className="h-full bg-text-3"
          style={{ width: `${Math.min(100, (total_ms / DELIVERY_DEADLINE_MS) * 100)}%` }}
        />
      </div>
      <ul className="flex flex-wrap gap-x-4 text-meta text-text-3">
        {shown.map(([key, ms]) => (
          <li key={key} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={cx('size-2 rounded-[2px]', COLORS[key])} />
            {t(key)} <span className="text-text">{formatDuration(ms)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
