import { Fragment, type ReactNode, useState } from 'react'
import { Icon } from '../icon.tsx'
import { useUiTexts } from '../texts.ts'

type BarFilter = {
  id: string
  isSet: boolean
  /** Shown also while it is not set. */
  isCommon?: boolean
  filter: ReactNode
}

/** The filters of a list in one line. Those that are seldom needed wait behind `n more`. */
export function FilterBar({ search, filters }: { search?: ReactNode; filters: readonly BarFilter[] }) {
  const t = useUiTexts()
  const [isWhole, setWhole] = useState(false)
  const shown = filters.filter(({ isSet, isCommon }) => isWhole || isSet || isCommon)
  const left = filters.length - shown.length
  return (
    <div className="flex flex-wrap items-center gap-2">
      {search}
      {shown.map(({ id, filter }) => (
        <Fragment key={id}>{filter}</Fragment>
      ))}
      {left > 0 && (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="touch-target inline-flex h-7 shrink-0 items-center gap-1.5 rounded-control border border-dashed border-line-2 px-2 font-medium text-text-2 hover:text-text max-tablet:h-9"
        >
          <Icon name="filter" size={12} />
          {t('moreFilters', { count: left })}
        </button>
      )}
    </div>
  )
}
