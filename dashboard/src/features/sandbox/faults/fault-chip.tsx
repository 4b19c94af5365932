import { cx } from '../../../lib/cx.ts'
import { Icon } from '../../../ui/icon.tsx'

type FaultChipProps = { label: string; isOn: boolean; disabled: boolean; onChange: (isOn: boolean) => void }

export function chipClasses(isOn: boolean): string {
  return cx(
    'touch-target inline-flex h-7 shrink-0 items-center gap-1.5 rounded-control border px-2 font-medium shadow-1 disabled:bg-sunken disabled:text-text-3',
    isOn ? 'border-warn-mark bg-warn-soft text-warn' : 'border-line-2 bg-surface text-text hover:bg-hover',
  )
}

/** A fault that is on or off. */
export function FaultChip({ label, isOn, disabled, onChange }: FaultChipProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      disabled={disabled}
      onClick={() => onChange(!isOn)}
      className={chipClasses(isOn)}
    >
      {isOn && <Icon name="alert" size={12} />}
      {label}
    </button>
  )
}
