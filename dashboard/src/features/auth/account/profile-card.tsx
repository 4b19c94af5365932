import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { sessionQuery, useSession } from '../../../api/session.ts'
import { useMail } from '../../../api/setup.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { TextField } from '../../../ui/controls/field.tsx'
import { Badge } from '../../../ui/data/badge.tsx'
import { Card } from '../../../ui/data/card.tsx'
import { useFieldError } from '../../../ui/states/error-text.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { showToast } from '../../../ui/states/toasts.tsx'
import { useAuthTexts } from '../auth-texts.ts'
import { useAccountTexts } from './account-texts.ts'

/** The name that others see, and the e-mail that signs in, which stays. */
export function ProfileCard() {
  const t = useAccountTexts()
  const a = useAuthTexts()
  const client = useQueryClient()
  const { user } = useSession()
  const [typed, setTyped] = useState<string>()
  const name = typed ?? user.name
  const save = useMutation({
    mutationFn: () => hub.console.updateAccount({ name: name.trim() }),
    async onSuccess(session) {
      client.setQueryData(sessionQuery.queryKey, session)
      setTyped(undefined)
      showToast(t('nameChanged'))
      await client.invalidateQueries({ queryKey: ['members'] })
    },
  })
  const fieldError = useFieldError(save.error)

  function submit(event: FormEvent): void {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Card title={t('profile')}>
      <form onSubmit={submit} className="flex flex-col items-start gap-4">
        <div className="grid w-full grid-cols-2 gap-4 max-tablet:grid-cols-1">
          <TextField
            label={a('name')}
            hint={t('nameHint')}
            error={fieldError('name')}
            autoComplete="name"
            required
            maxLength={100}
            pattern=".*\S.*"
            value={name}
            onChange={(event) => setTyped(event.target.value)}
          />
          <TextField
            label={a('email')}
            hint={t('emailHint')}
            aside={<EmailState />}
            type="email"
            value={user.email}
            readOnly
            disabled
          />
        </div>
        {save.error && fieldError('name') === undefined && <FailureNotice error={save.error} />}
        <Button type="submit" isBusy={save.isPending} disabled={name.trim() === user.name}>
          {t('saveName')}
        </Button>
      </form>
    </Card>
  )
}

/** Shows if the e-mail is verified. Without mail the hub cannot find out, and says nothing. */
function EmailState() {
  const t = useAccountTexts()
  const { user } = useSession()
  const hasMail = useMail()
  if (user.email_verified) {
    return (
      <Badge tone="accent" icon="ring-tick">
        {t('emailVerified')}
      </Badge>
    )
  }
  if (!hasMail) return null
  return (
    <span className="flex items-center gap-2">
      <Badge tone="warn">{t('emailNotVerified')}</Badge>
      <Link to="/account/verify-email" className="text-meta font-medium text-accent">
        {t('verifyEmail')}
      </Link>
    </span>
  )
}
