import { type ReactNode, useState } from 'react'
import { fold } from '../../lib/fold.ts'
import { useUiTexts } from '../texts.ts'
import { TextField } from './field.tsx'
import { FilterPopover } from './filter-text.tsx'
import { FilterFrame, FilterLabel } from './filters.tsx'

type Choice = { value: string; label: string; hint?: ReactNode }

type FilterPickProps = {
  name: string
  value: string | undefined
  choices: readonly Choice[]
  onChange: (value: string | undefined) => void
}

const SHOWN_MAX = 8

/** A filter by one of many things, which is found by a part of its name. */
export function FilterPick({ name, value, choices, onChange }: FilterPickProps) {
  const t = useUiTexts()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const chosen = choices.find((choice) => choice.value === value)
  const found = choices.filter(({ label }) => fold(label).includes(fold(typed.trim())))
  return (
    <FilterFrame name={name} isSet={value !== undefined} onClear={() => onChange(undefined)}>
      <FilterPopover
        name={name}
        label={<FilterLabel name={name} value={value && (chosen?.label ?? value.slice(0, 13))} />}
        isOpen={isOpen}
        onOpenChange={(next) => {
          setOpen(next)
          setTyped('')
        }}
      >
        <TextField
          label={t('findByName')}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          autoComplete="off"
        />
        <ul aria-label={name} className="mt-3 flex flex-col">
          {found.slice(0, SHOWN_MAX).map((choice) => (
            <li key={choice.value}>
              <button
                type="button"
                aria-pressed={choice.value === value}
                onClick={() => {
                  setOpen(false)
                  onChange(choice.value)
                }}
                className="flex min-h-8 w-full items-center justify-between gap-3 rounded-badge px-2 text-left text-text hover:bg-hover aria-pressed:text-accent max-tablet:min-h-11"
              >
                <span className="min-w-0 truncate">{choice.label}</span>
                <span className="shrink-0 text-meta text-text-3">{choice.hint}</span>
              </button>
            </li>
          ))}
        </ul>
        {found.length > SHOWN_MAX && (
          <p className="mt-2 text-meta text-text-3">{t('moreFilters', { count: found.length - SHOWN_MAX })}</p>
        )}
        {found.length === 0 && <p className="text-text-3">{t('noneFound')}</p>}
      </FilterPopover>
    </FilterFrame>
  )
}
