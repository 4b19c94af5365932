import { HubError } from '@hubline/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { PASSWORD_LENGTH } from '../../api/generated/definitions.gen.ts'
import { hub } from '../../api/hub.ts'
import { sessionQuery } from '../../api/session.ts'
import { setupQuery } from '../../api/setup.ts'
import { useFields } from '../../lib/use-fields.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PasswordField, TextField } from '../../ui/controls/field.tsx'
import { useFieldError } from '../../ui/states/error-text.tsx'
import { FailureNotice } from '../../ui/states/list-states.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { useAuthTexts } from './auth-texts.ts'
import { RateLimitNotice } from './rate-limit-notice.tsx'

/** A new account with an organization of its own; on an empty hub, the first one. */
export function SignUpPage() {
  const t = useAuthTexts()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { data: setup } = useQuery(setupQuery)
  const { form, bind } = useFields({ name: '', email: '', password: '', organization_name: '', setup_code: '' })
  const isFirst = setup?.first_run ?? false
  const needsCode = isFirst && setup?.sign_up === 'closed'
  const [isSent, setSent] = useState(false)
  const signUp = useMutation({
    mutationFn: ({ setup_code, ...account }: typeof form) =>
      hub.console.signUp({ ...account, ...readTimeZone(), ...(needsCode && { setup_code }) }),
    async onSuccess(session) {
      if ('verification' in session) return setSent(true)
      client.clear()
      client.setQueryData(sessionQuery.queryKey, session)
      await navigate({ to: '/' })
    },
  })

  const fieldError = useFieldError(signUp.error)

  function submit(event: FormEvent): void {
    event.preventDefault()
    signUp.mutate(form)
  }
  const signInLink = (
    <Link to="/sign-in" className="font-medium text-accent">
      {t('haveAccount')}
    </Link>
  )
  const failure =
    signUp.error instanceof HubError && signUp.error.code === 'RATE_LIMITED' ? (
      <RateLimitNotice error={signUp.error} />
    ) : (
      signUp.error && <FailureNotice error={signUp.error} />
    )
  if (isSent) {
    return (
      <AuthFrame title={t('sentTitle')} text={t('sentText', { email: form.email })}>
        <p>{t('sentHint')}</p>
        {failure}
        <Button size="form" isBusy={signUp.isPending} onClick={() => signUp.mutate(form)}>
          {t('sentAgain')}
        </Button>
        <Button size="form" kind="quiet" onClick={() => setSent(false)}>
          {t('otherEmail')}
        </Button>
        {signInLink}
      </AuthFrame>
    )
  }
  if (setup?.sign_up === 'closed' && !isFirst) {
    return (
      <AuthFrame title={t('createAccount')} text="">
        <Notice tone="info" icon="lock" title={t('closed')} />
        {signInLink}
      </AuthFrame>
    )
  }
  return (
    <AuthFrame
      title={isFirst ? t('firstRunTitle') : t('createAccount')}
      text={isFirst ? t('firstRun') : t('welcomeNew')}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        {needsCode && (
          <TextField
            label={t('setupCode')}
            hint={t('setupCodeHint')}
            autoComplete="off"
            autoFocus
            required
            {...bind('setup_code')}
          />
        )}
        <TextField
          label={t('organizationName')}
          autoComplete="organization"
          autoFocus={!needsCode}
          required
          maxLength={100}
          error={fieldError('organization_name')}
          {...bind('organization_name')}
        />
        <TextField
          label={t('name')}
          autoComplete="name"
          required
          maxLength={100}
          error={fieldError('name')}
          {...bind('name')}
        />
        <TextField
          label={t('email')}
          type="email"
          autoComplete="username"
          required
          error={fieldError('email')}
          {...bind('email')}
        />
        <PasswordField
          label={t('password')}
          hint={t('passwordHint', { min: PASSWORD_LENGTH.min })}
          autoComplete="new-password"
          required
          minLength={PASSWORD_LENGTH.min}
          maxLength={PASSWORD_LENGTH.max}
          {...bind('password')}
        />
        {failure}
        <Button kind="primary" size="form" type="submit" isBusy={signUp.isPending}>
          {t('signUp')}
        </Button>
      </form>
      {!isFirst && signInLink}
    </AuthFrame>
  )
}

/** Returns the time zone of the browser, for the charts of the new organization. Some browsers do not know theirs. */
function readTimeZone(): { time_zone?: string } {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return Intl.supportedValuesOf('timeZone').includes(timeZone) ? { time_zone: timeZone } : {}
}
