import type { ReactNode } from 'react'
import { Sparkline } from '../../../ui/charts/sparkline.tsx'
import { useOverviewTexts } from '../overview-texts.ts'

export type TileProps = {
  title: string
  value: ReactNode
  unit?: string | undefined
  /** The change against the period before. */
  change?: string | undefined
  series: readonly number[]
  tone?: 'accent' | 'danger'
  start: string
  /** Below the middle of the line. */
  middle?: string | undefined
  /** Said in place of a line that would be flat at zero. */
  empty?: string | undefined
}

/** A number, where it comes from, and how it changed. */
export function Tile({ title, value, unit, change, series, tone, start, middle, empty }: TileProps) {
  const t = useOverviewTexts()
  return (
    <section className="flex h-full min-w-0 flex-col gap-1 p-4">
      <header className="flex items-baseline justify-between gap-2">
        <h2 className="font-medium text-text-2">{title}</h2>
        {change !== undefined && (
          <span className="text-meta whitespace-nowrap text-text-3" title={t('comparedTo')}>
            {change}
          </span>
        )}
      </header>
      <p className="flex items-baseline gap-2">
        <output className={`text-tile font-semibold ${empty === undefined ? 'text-text' : 'text-text-3'}`}>
          {value}
        </output>
        {unit !== undefined && empty === undefined && (
          <span className="truncate text-meta text-text-3 max-tablet:hidden">{unit}</span>
        )}
      </p>
      {empty === undefined ? (
        <>
          <div className="mt-2">
            <Sparkline series={series} {...(tone && { tone })} />
          </div>
          <p className="flex justify-between gap-2 text-meta text-text-3 max-tablet:hidden">
            <span>{start}</span>
            <span>{middle}</span>
            <span>{t('now')}</span>
          </p>
        </>
      ) : (
        <p className="mt-auto border-t border-dashed border-line-2 pt-3 text-meta text-text-3">{empty}</p>
      )}
    </section>
  )
}
