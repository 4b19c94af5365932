import type { Member } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { hub } from '../../../api/hub.ts'
import { useSession } from '../../../api/session.ts'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { showToast } from '../../../ui/states/toasts.tsx'
import { useMembersTexts } from '../members-texts.ts'

export function RemoveDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useMembersTexts()
  const client = useQueryClient()
  const { user, organization } = useSession()
  const isSelf = member.id === user.id
  const remove = useMutation({
    mutationFn: () => hub.console.removeMember(member.id),
    async onSuccess() {
      // The session has no organization any more, or another one.
      if (isSelf) return location.assign('/')
      onClose()
      showToast(t('removed', { name: member.name }))
      await client.invalidateQueries({ queryKey: ['members'] })
    },
  })
  return (
    <ConfirmDialog
      title={isSelf ? t('leaveTitle', { name: organization.name }) : t('removeTitle', { name: member.name })}
      action={isSelf ? t('leaveAction') : t('removeAction')}
      name={isSelf ? organization.name : member.name}
      isBusy={remove.isPending}
      error={remove.error && <FailureNotice error={remove.error} />}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{isSelf ? t('leaveText') : t('removeText')}</p>
    </ConfirmDialog>
  )
}
