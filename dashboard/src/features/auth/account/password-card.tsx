import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { PASSWORD_LENGTH } from '../../../api/generated/definitions.gen.ts'
import { hub } from '../../../api/hub.ts'
import { useSession } from '../../../api/session.ts'
import { useFields } from '../../../lib/use-fields.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { PasswordField, TextField } from '../../../ui/controls/field.tsx'
import { Card } from '../../../ui/data/card.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { showToast } from '../../../ui/states/toasts.tsx'
import { useAccountTexts } from './account-texts.ts'

const EMPTY = { current_password: '', new_password: '', totp: '' }

export function PasswordCard() {
  const t = useAccountTexts()
  const client = useQueryClient()
  const { user } = useSession()
  const { form, setForm, bind } = useFields(EMPTY)
  const change = useMutation({
    mutationFn: ({ totp, ...passwords }: typeof EMPTY) =>
      hub.console.changePassword({ ...passwords, ...(totp !== '' && { totp }) }),
    async onSuccess() {
      setForm(EMPTY)
      showToast(t('passwordChanged'))
      await client.invalidateQueries({ queryKey: ['sessions'] })
    },
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    change.mutate(form)
  }
  return (
    <Card title={t('password')}>
      <form onSubmit={submit} className="flex flex-col items-start gap-4">
        {/* Password managers need to know whose password it is. */}
        <input type="hidden" autoComplete="username" value={user.email} readOnly />
        <PasswordField
          className="w-full"
          label={t('currentPassword')}
          autoComplete="current-password"
          required
          {...bind('current_password')}
        />
        <PasswordField
          className="w-full"
          label={t('newPassword')}
          hint={t('passwordHint', { min: PASSWORD_LENGTH.min })}
          autoComplete="new-password"
          required
          minLength={PASSWORD_LENGTH.min}
          maxLength={PASSWORD_LENGTH.max}
          {...bind('new_password')}
        />
        {user.totp_enabled && (
          <TextField
            className="w-full"
            label={t('codeOrRecovery')}
            autoComplete="one-time-code"
            required
            {...bind('totp')}
          />
        )}
        {change.error && <FailureNotice error={change.error} />}
        <Button type="submit" kind="primary" isBusy={change.isPending}>
          {t('changePassword')}
        </Button>
      </form>
    </Card>
  )
}
