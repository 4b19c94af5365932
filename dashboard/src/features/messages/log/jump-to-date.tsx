import { useState } from 'react'
import { findEnd, writeMoments } from '../../../lib/date-range.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { TextField } from '../../../ui/controls/field.tsx'
import { FilterPopover } from '../../../ui/controls/filter-text.tsx'
import { FilterFrame } from '../../../ui/controls/filters.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useMessagesTexts } from '../messages-texts.ts'

/** Begins the log at a day, or at a minute of it, with everything older below. */
export function JumpToDate({ onJump }: { onJump: (range: string) => void }) {
  const t = useMessagesTexts()
  const [isOpen, setOpen] = useState(false)
  const [day, setDay] = useState('')
  const [minute, setMinute] = useState('')
  return (
    <FilterFrame name={t('jump')} isSet={false} onClear={undefined}>
      <FilterPopover
        name={t('jump')}
        label={
          <>
            <Icon name="calendar" size={12} />
            {t('jump')}
          </>
        }
        isOpen={isOpen}
        onOpenChange={setOpen}
      >
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            setOpen(false)
            onJump(writeMoments(null, findEnd(day, minute).toISOString()))
          }}
        >
          <div className="grid grid-cols-2 gap-3">
            <TextField
              label={t('jumpDay')}
              type="date"
              required
              value={day}
              onChange={({ target }) => setDay(target.value)}
            />
            <TextField
              label={t('jumpTime')}
              type="time"
              value={minute}
              onChange={({ target }) => setMinute(target.value)}
            />
          </div>
          <p className="text-meta text-text-3">{t('jumpText')}</p>
          <Button type="submit" className="self-start">
            {t('jumpGo')}
          </Button>
        </form>
      </FilterPopover>
    </FilterFrame>
  )
}
