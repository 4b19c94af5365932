import { type ReactNode, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { TextField } from '../controls/field.tsx'
import { useUiTexts } from '../texts.ts'
import { Dialog } from './dialog.tsx'
import { isNameTyped } from './name-match.ts'

type ConfirmDialogProps = {
  title: string
  action: string
  /** If the action destroys something, its name has to be typed. */
  name?: string
  isDanger?: boolean
  isBusy?: boolean
  /** The body says why. */
  isDisabled?: boolean
  error?: ReactNode
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

export function ConfirmDialog({
  title,
  action,
  name,
  isDanger = name !== undefined,
  isBusy = false,
  isDisabled = false,
  error,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const t = useUiTexts()
  const [typed, setTyped] = useState('')
  const isReady = !isDisabled && (name === undefined || isNameTyped(typed, name))
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind={isDanger ? 'danger' : 'primary'} isBusy={isBusy} disabled={!isReady} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !isBusy) onConfirm()
        }}
      >
        {children}
        {name !== undefined && (
          <TextField
            label={t('typeToConfirm', { name })}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
          />
        )}
        {error}
      </form>
    </Dialog>
  )
}
