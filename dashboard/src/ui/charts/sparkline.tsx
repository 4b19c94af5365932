import { scaleLinear } from 'd3-scale'
import { area, curveMonotoneX, line } from 'd3-shape'
import { cx } from '../../lib/cx.ts'

const WIDTH = 240
const HEIGHT = 48
const EDGE = 3

/** The shape of a series. Its figures stand beside it, so that readers of the screen lose nothing. */
export function Sparkline({ series, tone = 'accent' }: { series: readonly number[]; tone?: 'accent' | 'danger' }) {
  const x = scaleLinear([0, Math.max(1, series.length - 1)], [EDGE, WIDTH - EDGE])
  const y = scaleLinear([0, Math.max(1, ...series)], [HEIGHT - EDGE, EDGE])
  const points = series.map((value, position) => [x(position), y(value)] as [number, number])
  const end = points.at(-1)
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
      preserveAspectRatio="none"
      className={cx('h-12 w-full overflow-visible', tone === 'danger' ? 'text-danger-mark' : 'text-accent')}
    >
      <path
        d={area<[number, number]>().y0(HEIGHT).curve(curveMonotoneX)(points) ?? ''}
        fill="currentColor"
        opacity="0.1"
      />
      <path
        d={line<[number, number]>().curve(curveMonotoneX)(points) ?? ''}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
      {end && (
        <path
          d={`M${end[0]} ${end[1]}h0`}
          stroke="currentColor"
          strokeWidth="6"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  )
}

/** Small bars: a burst looks unlike a drip. */
export function MiniBars({
  series,
  tone = 'danger',
}: {
  series: readonly number[]
  tone?: 'danger' | 'warn' | 'accent'
}) {
  const max = Math.max(1, ...series)
  const color = { danger: 'text-danger-mark', warn: 'text-warn-mark', accent: 'text-accent' }[tone]
  return (
    <svg
      viewBox={`0 0 ${series.length * 6} 20`}
      width={series.length * 6}
      height="20"
      aria-hidden="true"
      className={color}
    >
      {series.map((value, position) => {
        const height = value === 0 ? 1 : Math.max(2, (value / max) * 20)
        return (
          <rect
            key={position}
            x={position * 6}
            y={20 - height}
            width="4"
            height={height}
            rx="1"
            fill="currentColor"
            opacity={value === 0 ? 0.3 : 1}
          />
        )
      })}
    </svg>
  )
}
