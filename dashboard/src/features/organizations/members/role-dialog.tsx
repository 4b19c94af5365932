import type { Member } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { sessionQuery, useSession } from '../../../api/session.ts'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { showToast } from '../../../ui/states/toasts.tsx'
import { useMembersTexts } from '../members-texts.ts'
import { RoleChoice } from '../role-choice.tsx'
import { listGrantable } from '../roles.ts'

export function RoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useMembersTexts()
  const client = useQueryClient()
  const { user, role: own } = useSession()
  const [role, setRole] = useState(member.role)
  const change = useMutation({
    mutationFn: () => hub.console.changeRole(member.id, { role }),
    async onSuccess() {
      onClose()
      showToast(t('roleChanged'))
      await client.invalidateQueries({ queryKey: ['members'] })
      if (member.id === user.id) await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
  return (
    <ConfirmDialog
      title={t('roleOf', { name: member.name })}
      action={t('save')}
      isBusy={change.isPending}
      error={change.error && <FailureNotice error={change.error} />}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      <RoleChoice roles={listGrantable(own)} value={role} onChange={setRole} />
    </ConfirmDialog>
  )
}
