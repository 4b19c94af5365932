import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react'
import { cx } from '../../lib/cx.ts'
import { Icon } from '../icon.tsx'
import { useUiTexts } from '../texts.ts'

const CONTROL =
  'w-full rounded-control border border-ctl bg-surface px-3 text-text disabled:bg-sunken disabled:text-text-3 aria-invalid:border-danger'

type FieldProps = {
  label: string
  /** Shown below, until an error takes its place. */
  hint?: ReactNode
  error?: string | undefined
  /** At the right end of the label's line. */
  aside?: ReactNode
  className?: string
}
type Control = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

/** A label, a control, and below it what helps or what is wrong. */
function Field({
  label,
  hint,
  error,
  aside,
  className,
  children,
}: FieldProps & { children: (control: Control) => ReactNode }) {
  const id = useId()
  const below = error ?? hint
  const control: Control = {
    id,
    ...(below !== undefined && { 'aria-describedby': `${id}-below` }),
    ...(error !== undefined && { 'aria-invalid': true as const }),
  }
  return (
    <div className={cx('flex flex-col gap-1', className)}>
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="font-medium text-text">
          {label}
        </label>
        {aside}
      </div>
      {children(control)}
      {below !== undefined && (
        <p
          id={`${id}-below`}
          className={cx('text-meta', error === undefined ? 'text-text-3' : 'text-danger')}
          role={error === undefined ? undefined : 'alert'}
        >
          {below}
        </p>
      )}
    </div>
  )
}

type TextFieldProps = FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className'>

export function TextField({ label, hint, error, aside, className, ...input }: TextFieldProps) {
  return (
    <Field {...{ label, hint, error, aside, className: className ?? '' }}>
      {(control) => <input {...input} {...control} className={cx(CONTROL, 'h-9 max-tablet:h-11')} />}
    </Field>
  )
}

/** A password that can be shown while it is typed. */
export function PasswordField({ label, hint, error, aside, className, ...input }: TextFieldProps) {
  const t = useUiTexts()
  const [isShown, setShown] = useState(false)
  return (
    <Field {...{ label, hint, error, aside, className: className ?? '' }}>
      {(control) => (
        <div className="relative">
          <input
            {...input}
            {...control}
            type={isShown ? 'text' : 'password'}
            className={cx(CONTROL, 'h-9 pr-10 max-tablet:h-11')}
          />
          <button
            type="button"
            aria-label={isShown ? t('hide') : t('show')}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-0 right-0 flex w-10 items-center justify-center rounded-control text-text-2"
          >
            <Icon name={isShown ? 'eye-off' : 'eye'} />
          </button>
        </div>
      )}
    </Field>
  )
}

type TextAreaProps = FieldProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id' | 'className'>

export function TextArea({ label, hint, error, aside, className, ...input }: TextAreaProps) {
  return (
    <Field {...{ label, hint, error, aside, className: className ?? '' }}>
      {(control) => <textarea rows={4} {...input} {...control} className={cx(CONTROL, 'py-2')} />}
    </Field>
  )
}

type SelectProps = FieldProps & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id' | 'className'>

/** The browser's own list of options: it works with every keyboard, reader and phone. */
export function SelectField({ label, hint, error, aside, className, children, ...select }: SelectProps) {
  return (
    <Field {...{ label, hint, error, aside, className: className ?? '' }}>
      {(control) => (
        <select {...select} {...control} className={cx(CONTROL, 'h-9 max-tablet:h-11')}>
          {children}
        </select>
      )}
    </Field>
  )
}

type CheckFieldProps = { label: ReactNode; hint?: ReactNode; type?: 'checkbox' | 'radio' } & Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'type'
>

export function CheckField({ label, hint, className, type = 'checkbox', ...input }: CheckFieldProps) {
  return (
    <label className={cx('flex items-start gap-2 max-tablet:min-h-11 max-tablet:py-2', className)}>
      <input type={type} {...input} className="mt-0.5 size-4 shrink-0 accent-accent" />
      <span className="flex flex-col">
        <span className={input.disabled ? 'text-text-3' : 'text-text'}>{label}</span>
        {hint !== undefined && <span className="text-meta text-text-3">{hint}</span>}
      </span>
    </label>
  )
}
