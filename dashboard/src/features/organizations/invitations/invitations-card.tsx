import type { Invitation } from '@hubline/sdk/console'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { hub } from '../../../api/hub.ts'
import { useRoleName } from '../../../api/role-names.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Card } from '../../../ui/data/card.tsx'
import { Time } from '../../../ui/data/time.tsx'
import { ErrorState, FailureNotice, Skeleton } from '../../../ui/states/list-states.tsx'
import { type Column, CUT_ON_PHONES } from '../../../ui/table/columns.ts'
import { Table } from '../../../ui/table/table.tsx'
import { useMembersTexts } from '../members-texts.ts'

export function InvitationsCard() {
  const t = useMembersTexts()
  const roleName = useRoleName()
  const client = useQueryClient()
  const invitations = useQuery({
    queryKey: ['invitations'],
    queryFn: () => hub.console.listInvitations({ limit: 100 }).toArray(),
  })
  const revoke = useMutation({
    mutationFn: (id: string) => hub.console.revokeInvitation(id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['invitations'] }),
  })
  const columns: Column<Invitation>[] = [
    {
      id: 'email',
      header: t('email'),
      className: CUT_ON_PHONES,
      cell: ({ email }) => (
        <span title={email} className="block truncate text-text">
          {email}
        </span>
      ),
    },
    { id: 'role', header: t('role'), cell: ({ role }) => roleName(role) },
    { id: 'by', header: t('invitedBy'), from: 'tablet', cell: ({ invited_by }) => invited_by },
    { id: 'expires', header: t('expires'), from: 'tablet', cell: ({ expires_at }) => <Time at={expires_at} /> },
    {
      id: 'revoke',
      header: '',
      isNumber: true,
      cell: ({ id, email }) => (
        <Button
          size="bar"
          aria-label={t('revokeAria', { email })}
          isBusy={revoke.isPending && revoke.variables === id}
          onClick={() => revoke.mutate(id)}
        >
          {t('revoke')}
        </Button>
      ),
    },
  ]
  return (
    <Card title={t('invitations')}>
      {revoke.error && <FailureNotice error={revoke.error} />}
      {invitations.isPending ? (
        <Skeleton rows={2} />
      ) : invitations.isError ? (
        <ErrorState
          title={t('invitationsFailed')}
          error={invitations.error}
          onRetry={() => void invitations.refetch()}
        />
      ) : invitations.data.length === 0 ? (
        <p className="text-text-3">{t('noInvitations')}</p>
      ) : (
        <Table label={t('invitations')} columns={columns} rows={invitations.data} rowKey={({ id }) => id} />
      )}
    </Card>
  )
}
