import { useState } from 'react'
import { isPeriod, PERIODS, readDays, readMoments, startOfDay, writeDays } from '../../lib/date-range.ts'
import { formatDay, formatMoment } from '../../lib/format.ts'
import { useUiTexts } from '../texts.ts'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import { FilterPopover } from './filter-text.tsx'
import { FilterFrame, FilterLabel } from './filters.tsx'

type FilterDatesProps = { value: string | undefined; onChange: (value: string | undefined) => void }

/** A period by its name, or from one day to another. */
export function FilterDates({ value, onChange }: FilterDatesProps) {
  const t = useUiTexts()
  const describe = useDateRangeText()
  const [isOpen, setOpen] = useState(false)
  const [days, setDays] = useState<ReturnType<typeof readDays>>({ from: undefined, to: undefined })

  function choose(next: string | undefined): void {
    setOpen(false)
    onChange(next)
  }
  return (
    <FilterFrame name={t('date')} isSet={value !== undefined} onClear={() => onChange(undefined)}>
      <FilterPopover
        name={t('date')}
        label={<FilterLabel name={t('date')} value={value === undefined ? undefined : describe(value)} />}
        isOpen={isOpen}
        onOpenChange={(next) => {
          setOpen(next)
          setDays(readDays(value))
        }}
      >
        <div className="flex flex-wrap gap-2">
          {PERIODS.map((period) => (
            <Button key={period} size="bar" aria-pressed={period === value} onClick={() => choose(period)}>
              {describe(period)}
            </Button>
          ))}
        </div>
        <form
          className="mt-4 flex flex-col gap-3 border-t border-line pt-4"
          onSubmit={(event) => {
            event.preventDefault()
            choose(writeDays(days.from, days.to))
          }}
        >
          <div className="grid grid-cols-2 gap-3">
            <TextField
              label={t('from')}
              type="date"
              value={days.from ?? ''}
              {...(days.to !== undefined && { max: days.to })}
              onChange={({ target }) => setDays({ ...days, from: target.value || undefined })}
            />
            <TextField
              label={t('to')}
              type="date"
              value={days.to ?? ''}
              {...(days.from !== undefined && { min: days.from })}
              onChange={({ target }) => setDays({ ...days, to: target.value || undefined })}
            />
          </div>
          <Button type="submit" className="self-start">
            {t('apply')}
          </Button>
        </form>
      </FilterPopover>
    </FilterFrame>
  )
}

/** A range in words: `Today`, `1 Nov – 7 Nov`. */
export function useDateRangeText(): (range: string) => string {
  const t = useUiTexts()
  return (range) => {
    if (isPeriod(range)) return t(`period.${range}`)
    const moments = readMoments(range)
    if (moments) {
      const { since, until } = moments
      return `${since ? formatMoment(since, 'second') : '…'} – ${until ? formatMoment(until, 'second') : '…'}`
    }
    const { from, to } = readDays(range)
    return `${from ? formatDay(startOfDay(from)) : '…'} – ${to ? formatDay(startOfDay(to)) : '…'}`
  }
}
