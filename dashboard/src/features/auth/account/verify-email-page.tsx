import { HubError } from '@hubline/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { lacksSecondFactor, sessionQuery, useSession } from '../../../api/session.ts'
import { useCrumb } from '../../../lib/crumb.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { TextField } from '../../../ui/controls/field.tsx'
import { Card, Page, PageHeader } from '../../../ui/data/card.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { Notice } from '../../../ui/states/notice.tsx'
import { showToast } from '../../../ui/states/toasts.tsx'
import { RateLimitNotice } from '../rate-limit-notice.tsx'
import { useAccountTexts } from './account-texts.ts'

/** Sends a code to the e-mail of the person, and takes it. */
export function VerifyEmailPage() {
  const t = useAccountTexts()
  const client = useQueryClient()
  const navigate = useNavigate()
  const session = useSession()
  const { email, email_verified: isVerified } = session.user
  const [code, setCode] = useState('')
  useCrumb(t('verifyEmail'))
  const send = useMutation({ mutationFn: () => hub.console.requestEmailVerification() })
  const confirm = useMutation({
    mutationFn: () => hub.console.confirmEmail({ code: code.trim() }),
    async onSuccess(confirmed) {
      client.setQueryData(sessionQuery.queryKey, confirmed)
      showToast(t('verifyDone'))
      await navigate({ to: '/account' })
    },
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    confirm.mutate()
  }
  const back = (
    <Link to="/account" className="font-medium text-accent">
      {t('backToAccount')}
    </Link>
  )
  return (
    <Page>
      <PageHeader title={t('verifyEmail')}>{t('verifyText', { email })}</PageHeader>
      {lacksSecondFactor(session) && !isVerified && (
        <Notice tone="warn" icon="lock" title={t('verifyRequired', { name: session.organization.name })} />
      )}
      {isVerified ? (
        <Notice tone="info" icon="ring-tick" title={t('verifyDone')} action={back} />
      ) : (
        <Card title={email}>
          <div className="flex max-w-[440px] flex-col items-start gap-4">
            {send.isSuccess && <Notice tone="info" title={t('verifySent', { email })} />}
            <Failure error={send.error} />
            <Button
              kind={send.isSuccess ? 'secondary' : 'primary'}
              isBusy={send.isPending}
              onClick={() => send.mutate()}
            >
              {send.isSuccess ? t('verifySendAgain') : t('verifySend')}
            </Button>
            <form onSubmit={submit} className="flex w-full flex-col items-start gap-4">
              <TextField
                className="w-full"
                label={t('verifyCode')}
                hint={t('verifyCodeHint')}
                autoComplete="one-time-code"
                autoCapitalize="characters"
                spellCheck={false}
                required
                minLength={8}
                maxLength={20}
                value={code}
                onChange={(event) => setCode(event.target.value)}
              />
              <Failure error={confirm.error} />
              <Button type="submit" kind={send.isSuccess ? 'primary' : 'secondary'} isBusy={confirm.isPending}>
                {t('verifyEmail')}
              </Button>
            </form>
            {back}
          </div>
        </Card>
      )}
    </Page>
  )
}

function Failure({ error }: { error: Error | null }) {
  if (error === null) return null
  if (error instanceof HubError && error.code === 'RATE_LIMITED') return <RateLimitNotice error={error} />
  return <FailureNotice error={error} />
}
