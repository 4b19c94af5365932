import { scaleBand, scaleLinear } from 'd3-scale'
import { type ReactNode, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../controls/button.tsx'
import { useUiTexts } from '../texts.ts'

type Layer = {
  name: string
  color: 'fill-accent' | 'fill-chart-2' | 'fill-chart-3' | 'fill-chart-4 stroke-chart-3' | 'fill-danger-mark'
  values: readonly number[]
}
type StackedBarsProps = {
  title: ReactNode
  label: string
  periods: readonly string[]
  layers: readonly Layer[]
  /** Formats a value if there is room for all of it. */
  format?: (value: number) => string
  /** A dashed line across all columns. */
  mark?: { value: number; label: string } | undefined
  /** The chart has the whole width of a page. */
  isWide?: boolean
}

type Drawing = { width: number; labels: number; className: string }

/** Several drawings, of which one is shown: in a scaled one the labels would be too small, or too large. */
const PHONE: Drawing = { width: 340, labels: 4, className: 'tablet:hidden' }
const DRAWINGS: readonly Drawing[] = [{ width: 720, labels: 8, className: 'max-tablet:hidden' }, PHONE]
const WIDE_DRAWINGS: readonly Drawing[] = [
  { width: 1080, labels: 16, className: 'max-desktop:hidden' },
  { width: 720, labels: 8, className: 'max-tablet:hidden desktop:hidden' },
  PHONE,
]
const HEIGHT = 180
const AXIS = 40

/** Columns over time, and the same as a table. */
export function StackedBars(props: StackedBarsProps) {
  const { title, label, periods, layers, format = formatNumber, mark, isWide = false } = props
  const t = useUiTexts()
  const [isTable, setTable] = useState(false)
  return (
    <figure className="flex flex-col gap-3">
      <figcaption className="flex flex-wrap items-center justify-between gap-3">
        <span className="flex flex-wrap items-center gap-4 text-section font-semibold text-text">
          {title}
          {layers.map(({ name, color }) => (
            <span key={name} className="flex items-center gap-1.5 text-meta font-normal text-text-2">
              <svg width="10" height="10" aria-hidden="true">
                <rect width="10" height="10" rx="2" className={color} />
              </svg>
              {name}
            </span>
          ))}
        </span>
        <Button size="bar" kind="quiet" onClick={() => setTable(!isTable)}>
          {isTable ? t('viewAsChart') : t('viewAsTable')}
        </Button>
      </figcaption>
      {isTable ? (
        <BarsTable {...{ label, periods, layers, format }} />
      ) : (
        (isWide ? WIDE_DRAWINGS : DRAWINGS).map((drawing) => (
          <BarsChart key={drawing.width} {...{ label, periods, layers, format, mark, drawing }} />
        ))
      )}
    </figure>
  )
}

type BarsProps = Omit<StackedBarsProps, 'title' | 'format' | 'isWide'> & { format: (value: number) => string }

function BarsChart({ label, periods, layers, format, mark, drawing }: BarsProps & { drawing: Drawing }) {
  const { width } = drawing
  const totals = periods.map((_, position) => layers.reduce((sum, { values }) => sum + (values[position] ?? 0), 0))
  const x = scaleBand(periods, [AXIS, width]).paddingInner(0.25)
  const y = scaleLinear([0, Math.max(4, mark?.value ?? 0, ...totals)], [HEIGHT - 20, 4]).nice(4)
  const labelEvery = Math.ceil(periods.length / drawing.labels)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      className={cx('w-full overflow-visible text-[11px]', drawing.className)}
    >
      {y.ticks(4).map((tick) => (
        <g key={tick}>
          <line x1={AXIS} x2={width} y1={y(tick)} y2={y(tick)} className="stroke-line" />
          <text x={AXIS - 8} y={y(tick) + 4} textAnchor="end" className="fill-text-3">
            {formatNumber(tick, { notation: 'compact' })}
          </text>
        </g>
      ))}
      {periods.map((period, position) => {
        let base = 0
        return (
          <g key={period}>
            {layers.map(({ name, color, values }) => {
              const value = values[position] ?? 0
              base += value
              const height = Math.max(0, y(base - value) - y(base) - 1)
              return value === 0 ? null : (
                <rect
                  key={name}
                  x={x(period)}
                  y={y(base)}
                  width={x.bandwidth()}
                  height={Math.max(1, height)}
                  className={color}
                >
                  <title>{`${period} · ${name}: ${format(value)}`}</title>
                </rect>
              )
            })}
            {position % labelEvery === 0 && (
              <text x={(x(period) ?? 0) + x.bandwidth() / 2} y={HEIGHT - 4} textAnchor="middle" className="fill-text-3">
                {period}
              </text>
            )}
          </g>
        )
      })}
      {mark && (
        <g>
          <line
            x1={AXIS}
            x2={width}
            y1={y(mark.value)}
            y2={y(mark.value)}
            strokeDasharray="4 3"
            strokeWidth="1.5"
            className="stroke-warn-mark"
          />
          <text
            x={width}
            y={y(mark.value) - 5}
            textAnchor="end"
            paintOrder="stroke"
            strokeWidth="4"
            className="fill-warn stroke-surface font-medium"
          >
            {mark.label}
          </text>
        </g>
      )}
    </svg>
  )
}

function BarsTable({ label, periods, layers, format }: Omit<BarsProps, 'mark'>) {
  const t = useUiTexts()
  return (
    <div className="max-h-64 overflow-auto">
      <table aria-label={label} className="w-full">
        <thead>
          <tr className="h-8 border-b border-line text-left text-meta text-text-3">
            <th scope="col">{t('period')}</th>
            {layers.map(({ name }) => (
              <th key={name} scope="col" className="text-right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {periods.map((period, position) => (
            <tr key={period} className="h-8 border-b border-line">
              <th scope="row" className="text-left font-normal">
                {period}
              </th>
              {layers.map(({ name, values }) => (
                <td key={name} className="text-right">
                  {format(values[position] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
