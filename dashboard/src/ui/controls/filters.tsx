import { DropdownMenu } from 'radix-ui'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { Icon } from '../icon.tsx'
import { useUiTexts } from '../texts.ts'

type FilterChipProps = {
  name: string
  value: string | undefined
  options: readonly { value: string; label: ReactNode }[]
  /** One of the values always holds. */
  isRequired?: boolean
  onChange: (value: string | undefined) => void
}

/** Dashed while it is available; solid, with its value, once it is set. */
export function FilterChip({ name, value, options, isRequired = false, onChange }: FilterChipProps) {
  const chosen = options.find((option) => option.value === value)
  return (
    <FilterFrame name={name} isSet={value !== undefined} onClear={isRequired ? undefined : () => onChange(undefined)}>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className={FILTER_TRIGGER}>
          <FilterLabel name={name} value={value === undefined ? undefined : (chosen?.label ?? value)} />
        </DropdownMenu.Trigger>
        <MenuContent>
          <DropdownMenu.RadioGroup value={value ?? ''} onValueChange={onChange}>
            {options.map((option) => (
              <DropdownMenu.RadioItem key={option.value} value={option.value} className={MENU_ITEM}>
                <span className="flex-1">{option.label}</span>
                <DropdownMenu.ItemIndicator>
                  <Icon name="check" size={14} className="text-accent" />
                </DropdownMenu.ItemIndicator>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </MenuContent>
      </DropdownMenu.Root>
    </FilterFrame>
  )
}

type FilterChoicesProps = {
  name: string
  values: readonly string[]
  options: readonly { value: string; label: ReactNode }[]
  onChange: (values: string[]) => void
}

/** A filter that several values pass. The menu stays open while they are chosen. */
export function FilterChoices({ name, values, options, onChange }: FilterChoicesProps) {
  const t = useUiTexts()
  const isSet = values.length > 0
  const one = values.length === 1 ? (options.find(({ value }) => value === values[0])?.label ?? values[0]) : undefined
  const shown = isSet ? (one ?? t('someOf', { count: values.length, total: options.length })) : undefined
  return (
    <FilterFrame name={name} isSet={isSet} onClear={() => onChange([])}>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className={FILTER_TRIGGER}>
          <FilterLabel name={name} value={shown} />
        </DropdownMenu.Trigger>
        <MenuContent>
          {options.map(({ value, label }) => (
            <DropdownMenu.CheckboxItem
              key={value}
              checked={values.includes(value)}
              onCheckedChange={(isChosen) =>
                onChange(isChosen ? [...values, value] : values.filter((other) => other !== value))
              }
              onSelect={(event) => event.preventDefault()}
              className={MENU_ITEM}
            >
              <span className="flex-1">{label}</span>
              <DropdownMenu.ItemIndicator>
                <Icon name="check" size={14} className="text-accent" />
              </DropdownMenu.ItemIndicator>
            </DropdownMenu.CheckboxItem>
          ))}
        </MenuContent>
      </DropdownMenu.Root>
    </FilterFrame>
  )
}

export const FILTER_TRIGGER =
  'touch-target inline-flex h-full min-w-0 items-center gap-1.5 rounded-control px-2 font-medium text-text-2 hover:text-text'

export function FilterLabel({ name, value }: { name: string; value: ReactNode }) {
  return (
    <>
      {value === undefined && <Icon name="plus" size={12} />}
      {name}
      {value !== undefined && <span className="max-w-48 truncate text-accent">{value}</span>}
    </>
  )
}

type FilterFrameProps = { name: string; isSet: boolean; onClear: (() => void) | undefined; children: ReactNode }

/** The border of a filter, and the cross that removes it. */
export function FilterFrame({ name, isSet, onClear, children }: FilterFrameProps) {
  const t = useUiTexts()
  return (
    <span
      className={cx(
        'inline-flex h-7 shrink-0 items-center rounded-control border border-line-2 bg-surface max-tablet:h-9',
        !isSet && 'border-dashed',
      )}
    >
      {children}
      {isSet && onClear && (
        <button
          type="button"
          aria-label={t('remove', { name })}
          onClick={onClear}
          className="relative z-1 mr-1 inline-flex size-5 items-center justify-center rounded-badge text-text-3 hover:text-text"
        >
          <Icon name="x" size={12} />
        </button>
      )}
    </span>
  )
}

export const MENU_ITEM =
  'flex min-h-8 items-center gap-2 rounded-badge px-2 text-text outline-none data-highlighted:bg-hover data-disabled:text-text-3 max-tablet:min-h-11'

export function MenuContent({ children, align = 'start' }: { children: ReactNode; align?: 'start' | 'end' }) {
  return (
    <DropdownMenu.Portal>
      <DropdownMenu.Content
        align={align}
        sideOffset={4}
        collisionPadding={8}
        className="enter z-50 max-h-96 min-w-44 max-w-80 overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-2"
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  )
}

const SEARCH_AFTER_MS = 300

type SearchBoxProps = { label: string; value: string; isWide?: boolean; onChange: (value: string) => void }

/** Searches a moment after the last key. `/` moves the focus here. */
export function SearchBox({ label, value, isWide = false, onChange }: SearchBoxProps) {
  const [typed, setTyped] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const latest = useRef(onChange)
  latest.current = onChange
  const searched = useRef(value)
  // The value that comes back from a search must not replace what was typed since, nor a space at its end.
  useEffect(() => {
    if (value === searched.current) return
    searched.current = value
    setTyped(value)
  }, [value])
  useEffect(() => {
    const text = typed.trim()
    if (text === searched.current) return
    const timer = setTimeout(() => {
      searched.current = text
      latest.current(text)
    }, SEARCH_AFTER_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <label
      className={cx(
        'flex h-7 shrink-0 items-center gap-2 rounded-control border border-ctl bg-surface px-2 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent max-tablet:h-11 max-tablet:w-full',
        isWide ? 'w-68' : 'w-52',
      )}
    >
      <Icon name="search" size={14} className="text-text-3" />
      <span className="sr-only">{label}</span>
      <input
        ref={input}
        type="search"
        data-search
        value={typed}
        placeholder={label}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          // The next Escape closes what is open beside the list.
          event.stopPropagation()
          input.current?.blur()
        }}
        className="min-w-0 flex-1 bg-transparent text-text outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      <Kbd>/</Kbd>
    </label>
  )
}

/** The same, with what is wrong about the text below it. */
export function CheckedSearchBox({ problem, ...box }: SearchBoxProps & { problem: string | undefined }) {
  return (
    <span className="relative max-tablet:w-full">
      <SearchBox {...box} />
      {problem !== undefined && (
        <span
          role="alert"
          className="absolute top-full left-0 z-20 mt-1 w-72 rounded-control border border-line bg-raised px-3 py-2 text-meta text-danger shadow-2"
        >
          {problem}
        </span>
      )}
    </span>
  )
}

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="rounded-badge border border-line bg-surface px-1 font-sans text-axis text-text-3 max-tablet:hidden">
      {children}
    </kbd>
  )
}
