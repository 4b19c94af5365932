import { cx } from '../../lib/cx.ts'

type SegmentedProps<Value extends string> = {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

/** Two to five values of which one holds. */
export function Segmented<Value extends string>({ label, value, options, onChange }: SegmentedProps<Value>) {
  return (
    <fieldset className="inline-flex max-w-full shrink-0 self-start overflow-x-auto rounded-control border border-line-2 bg-surface shadow-1">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={cx(
            'h-7 border-line-2 px-3 font-medium not-first-of-type:border-l focus-visible:-outline-offset-2 max-tablet:h-11',
            option.value === value ? 'bg-accent-soft text-text' : 'text-text-2 hover:bg-hover',
          )}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
