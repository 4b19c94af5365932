import type { TotpBegun } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { sessionQuery, useSession } from '../../../api/session.ts'
import { useMail } from '../../../api/setup.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Id } from '../../../ui/controls/copy.tsx'
import { PasswordField, TextField } from '../../../ui/controls/field.tsx'
import { Card } from '../../../ui/data/card.tsx'
import { QrCode } from '../../../ui/data/qr-code.tsx'
import { StatusIcon } from '../../../ui/data/status.tsx'
import { SecretSheet } from '../../../ui/overlays/secret-sheet.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { useAccountTexts } from './account-texts.ts'

/** Turns the second factor on, in two steps, and off. */
export function TotpCard() {
  const t = useAccountTexts()
  const client = useQueryClient()
  const { user } = useSession()
  const needsVerification = useMail() && !user.email_verified
  const [begun, setBegun] = useState<TotpBegun>()
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>()

  function refresh(): Promise<void> {
    return client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  return (
    <Card title={t('totp')}>
      <div className="flex flex-col gap-4">
        <p className="flex items-center gap-2">
          <StatusIcon status={user.totp_enabled ? 'active' : 'disabled'} size={16} />
          {user.totp_enabled ? t('totpOn') : t('totpOff')}
        </p>
        {user.totp_enabled ? (
          <DisableForm onDone={refresh} />
        ) : needsVerification ? (
          <>
            <p>{t('verifyFirst')}</p>
            <Link to="/account/verify-email" className="font-medium text-accent">
              {t('verifyEmail')}
            </Link>
          </>
        ) : begun ? (
          <ConfirmForm begun={begun} onConfirmed={setRecoveryCodes} />
        ) : (
          <BeginForm onBegun={setBegun} />
        )}
      </div>
      {recoveryCodes && (
        <SecretSheet
          title={t('recovery')}
          label={t('recovery')}
          purpose={t('recoveryPurpose')}
          secret={recoveryCodes.join('\n')}
          onDone={() => {
            setRecoveryCodes(undefined)
            setBegun(undefined)
            void refresh()
          }}
        />
      )}
    </Card>
  )
}

function BeginForm({ onBegun }: { onBegun: (begun: TotpBegun) => void }) {
  const t = useAccountTexts()
  const [password, setPassword] = useState('')
  const begin = useMutation({ mutationFn: () => hub.console.beginTotp({ password }), onSuccess: onBegun })
  return (
    <Form action={t('enable')} mutation={begin}>
      <PasswordField
        className="w-full"
        label={t('currentPassword')}
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </Form>
  )
}

function ConfirmForm({ begun, onConfirmed }: { begun: TotpBegun; onConfirmed: (codes: string[]) => void }) {
  const t = useAccountTexts()
  const [code, setCode] = useState('')
  const confirm = useMutation({
    mutationFn: () => hub.console.confirmTotp({ code }).toArray(),
    onSuccess: onConfirmed,
  })
  return (
    <Form action={t('confirmCode')} mutation={confirm}>
      <p>{t('scan')}</p>
      <div className="flex flex-wrap items-center gap-4">
        <QrCode text={begun.otpauth_url} label={t('scan')} size={144} />
        <span>
          <span className="block text-meta text-text-3">{t('secret')}</span>
          <Id id={begun.secret} />
        </span>
      </div>
      <TextField
        className="w-full"
        label={t('code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
    </Form>
  )
}

function DisableForm({ onDone }: { onDone: () => Promise<void> }) {
  const t = useAccountTexts()
  const [form, setForm] = useState({ password: '', totp: '' })
  const disable = useMutation({ mutationFn: () => hub.console.disableTotp(form), onSuccess: onDone })
  return (
    <Form action={t('disable')} mutation={disable}>
      <PasswordField
        className="w-full"
        label={t('currentPassword')}
        autoComplete="current-password"
        required
        value={form.password}
        onChange={(event) => setForm({ ...form, password: event.target.value })}
      />
      <TextField
        className="w-full"
        label={t('codeOrRecovery')}
        autoComplete="one-time-code"
        required
        value={form.totp}
        onChange={(event) => setForm({ ...form, totp: event.target.value })}
      />
    </Form>
  )
}

type Running = { mutate: () => void; isPending: boolean; error: Error | null }

function Form({ action, mutation, children }: { action: string; mutation: Running; children: React.ReactNode }) {
  function submit(event: FormEvent): void {
    event.preventDefault()
    mutation.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col items-start gap-4">
      {children}
      {mutation.error && <FailureNotice error={mutation.error} />}
      <Button type="submit" isBusy={mutation.isPending}>
        {action}
      </Button>
    </form>
  )
}
