import { HubError } from '@hubline/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { hub } from '../../api/hub.ts'
import { sessionQuery } from '../../api/session.ts'
import { setupQuery } from '../../api/setup.ts'
import { useFields } from '../../lib/use-fields.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PasswordField, TextField } from '../../ui/controls/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { FailureNotice } from '../../ui/states/list-states.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { useAuthTexts } from './auth-texts.ts'
import { RateLimitNotice } from './rate-limit-notice.tsx'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const t = useAuthTexts()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { return_to } = route.useSearch()
  const { data: setup } = useQuery(setupQuery)
  const { form, bind } = useFields({ email: '', password: '', totp: '' })
  const signIn = useMutation({
    mutationFn: ({ email, password, totp }: typeof form) =>
      hub.console.signIn({ email, password, ...(totp !== '' && { totp }) }),
    async onSuccess(session) {
      client.clear()
      client.setQueryData(sessionQuery.queryKey, session)
      await navigate({ to: return_to ?? '/' })
    },
  })
  const [needsCode, setNeedsCode] = useState(false)
  if (isCodeMissing(signIn.error) && !needsCode) setNeedsCode(true)

  function submit(event: FormEvent): void {
    event.preventDefault()
    signIn.mutate(form)
  }

  return (
    <AuthFrame title={needsCode ? t('totpTitle') : t('signIn')} text={needsCode ? t('totpText') : t('welcomeBack')}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {needsCode ? (
          <TextField
            key="code"
            label={t('code')}
            hint={t('codeHint')}
            autoComplete="one-time-code"
            autoFocus
            required
            {...bind('totp')}
          />
        ) : (
          <>
            <TextField label={t('email')} type="email" autoComplete="username" autoFocus required {...bind('email')} />
            <PasswordField
              label={t('password')}
              autoComplete="current-password"
              required
              aside={
                <a href="/forgot-password" className="text-accent">
                  {t('forgot')}
                </a>
              }
              {...bind('password')}
            />
          </>
        )}
        <SignInFailure error={signIn.error} hasCode={signIn.variables?.totp !== ''} />
        <Button kind="primary" size="form" type="submit" isBusy={signIn.isPending}>
          {t('signIn')}
        </Button>
      </form>
      {setup?.sign_up === 'closed' && !setup.first_run ? (
        <p className="flex gap-2 rounded-card border border-line bg-bg p-3 text-meta">
          <Icon name="lock" size={14} />
          {t('closed')}
        </p>
      ) : (
        <p>
          {t('newHere')}{' '}
          <Link to="/sign-up" className="font-medium text-accent">
            {t('createAccount')}
          </Link>
        </p>
      )}
    </AuthFrame>
  )
}

/** A wrong password in words; everything else as the hub says it. */
function SignInFailure({ error, hasCode }: { error: Error | null; hasCode: boolean }) {
  const t = useAuthTexts()
  if (error === null) return null
  if (!(error instanceof HubError)) return <FailureNotice error={error} />
  if (isCodeMissing(error)) return hasCode ? <Notice tone="danger" title={t('wrongCode')} /> : null
  if (error.code === 'RATE_LIMITED') return <RateLimitNotice error={error} />
  if (error.status === 401) return <Notice tone="danger" title={t('wrong')} />
  return <FailureNotice error={error} />
}

/** The password was right, and the account asks for a second factor. */
function isCodeMissing(error: Error | null): boolean {
  return error instanceof HubError && (error.details as { totp_required?: boolean } | null)?.totp_required === true
}
