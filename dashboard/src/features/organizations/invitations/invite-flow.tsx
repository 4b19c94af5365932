import type { Invite, Invited } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { TextField } from '../../../ui/controls/field.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { useFieldError } from '../../../ui/states/error-text.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { useUiTexts } from '../../../ui/texts.ts'
import { useMembersTexts } from '../members-texts.ts'
import { RoleChoice } from '../role-choice.tsx'
import { listGrantable } from '../roles.ts'
import { InvitedResult } from './invited-result.tsx'

/** A form, then the link: the only sight of it. */
export function InviteFlow({ onClose }: { onClose: () => void }) {
  const t = useMembersTexts()
  const u = useUiTexts()
  const client = useQueryClient()
  const formId = useId()
  const { role: own } = useSession()
  const [form, setForm] = useState<Invite>({ email: '', role: 'developer' })
  const [invited, setInvited] = useState<Invited>()
  const invite = useMutation({
    mutationFn: () => hub.console.createInvitation({ ...form, email: form.email.trim() }),
    async onSuccess(result) {
      setInvited(result)
      await client.invalidateQueries({ queryKey: ['invitations'] })
    },
  })
  const fieldError = useFieldError(invite.error)
  if (invited) return <InvitedResult invited={invited} onDone={onClose} />

  function submit(event: FormEvent): void {
    event.preventDefault()
    invite.mutate()
  }
  return (
    <Dialog
      title={t('invite')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{u('cancel')}</Button>
          <Button type="submit" form={formId} kind="primary" isBusy={invite.isPending}>
            {t('send')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={t('email')}
          hint={t('emailHint')}
          type="email"
          autoComplete="off"
          required
          error={fieldError('email')}
          value={form.email}
          onChange={(event) => setForm({ ...form, email: event.target.value })}
        />
        <RoleChoice roles={listGrantable(own)} value={form.role} onChange={(role) => setForm({ ...form, role })} />
        {invite.error && fieldError('email') === undefined && <FailureNotice error={invite.error} />}
      </form>
    </Dialog>
  )
}
