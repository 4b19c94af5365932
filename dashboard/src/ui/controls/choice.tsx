import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'

type ChoiceProps<Value extends string> = {
  label: string
  name: string
  value: Value
  options: readonly { value: Value; title: ReactNode; text?: ReactNode; aside?: ReactNode }[]
  onChange: (value: Value) => void
  isDisabled?: boolean
  /** Side by side, to be compared. */
  isRow?: boolean
}

/** One of several, each with its explanation. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, name, value, options, onChange, isDisabled = false, isRow = false } = props
  return (
    <fieldset disabled={isDisabled} className="min-w-0">
      <legend className="mb-2 font-medium text-text">{label}</legend>
      <div className={isRow ? 'grid grid-cols-2 gap-2 max-tablet:grid-cols-1' : 'flex flex-col gap-1'}>
        {options.map((option) => {
          const isChosen = option.value === value
          return (
            <label
              key={option.value}
              className={cx(
                'flex items-start gap-3 rounded-control border p-3',
                isChosen ? 'border-accent-line bg-selected' : isRow ? 'border-line' : 'border-transparent',
                !isDisabled && !isChosen && 'hover:bg-hover',
              )}
            >
              <input
                type="radio"
                name={name}
                checked={isChosen}
                onChange={() => onChange(option.value)}
                className="mt-0.5 size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0 flex-1">
                <span className="block font-medium text-text">{option.title}</span>
                {option.text !== undefined && <span className="block text-text-2">{option.text}</span>}
              </span>
              {option.aside !== undefined && <span className="text-text-3">{option.aside}</span>}
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
