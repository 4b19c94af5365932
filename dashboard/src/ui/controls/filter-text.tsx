import { Popover } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { useUiTexts } from '../texts.ts'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import { FILTER_TRIGGER, FilterFrame, FilterLabel } from './filters.tsx'

type FilterTextProps = {
  name: string
  value: string | undefined
  hint?: string
  /** The accepted values, as a pattern of the browser. */
  pattern?: string
  inputMode?: 'numeric' | 'text'
  onChange: (value: string | undefined) => void
}

/** A filter whose value is typed. */
export function FilterText({ name, value, hint, pattern, inputMode, onChange }: FilterTextProps) {
  const t = useUiTexts()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  return (
    <FilterFrame name={name} isSet={value !== undefined} onClear={() => onChange(undefined)}>
      <FilterPopover
        name={name}
        label={<FilterLabel name={name} value={value} />}
        isOpen={isOpen}
        onOpenChange={(next) => {
          setOpen(next)
          setTyped(value ?? '')
        }}
      >
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            setOpen(false)
            onChange(typed.trim() === '' ? undefined : typed.trim())
          }}
        >
          <TextField
            label={name}
            {...(hint !== undefined && { hint })}
            {...(pattern !== undefined && { pattern })}
            {...(inputMode !== undefined && { inputMode })}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
          />
          <Button type="submit" className="self-start">
            {t('apply')}
          </Button>
        </form>
      </FilterPopover>
    </FilterFrame>
  )
}

type FilterPopoverProps = {
  /** For readers of the screen. */
  name: string
  label: ReactNode
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  children: ReactNode
}

/** A form below its filter. */
export function FilterPopover({ name, label, isOpen, onOpenChange, children }: FilterPopoverProps) {
  return (
    <Popover.Root open={isOpen} onOpenChange={onOpenChange}>
      <Popover.Trigger className={FILTER_TRIGGER}>{label}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label={name}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="enter z-50 w-72 rounded-card border border-line bg-raised p-4 shadow-2"
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
