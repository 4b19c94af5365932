import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { membersQuery } from '../../api/members.ts'
import { useRoleRefusal } from '../../api/permissions.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Page, PageHeader } from '../../ui/data/card.tsx'
import { ErrorState, Skeleton } from '../../ui/states/list-states.tsx'
import { InvitationsCard } from './invitations/invitations-card.tsx'
import { InviteFlow } from './invitations/invite-flow.tsx'
import { MemberTable } from './members/member-table.tsx'
import { useMembersTexts } from './members-texts.ts'
import { RolesCard } from './roles-card.tsx'

const route = getRouteApi('/shell/members')

export function MembersPage() {
  const t = useMembersTexts()
  const { invite } = route.useSearch()
  const navigate = route.useNavigate()
  const refusal = useRoleRefusal('admin')
  const members = useQuery(membersQuery)
  return (
    <Page>
      <PageHeader
        title={t('title')}
        aside={
          <Button
            kind="primary"
            icon="plus"
            reason={refusal}
            onClick={() => void navigate({ search: { invite: true } })}
          >
            {t('invite')}
          </Button>
        }
      >
        {t('subtitle')}
      </PageHeader>
      {members.isPending ? (
        <Skeleton rows={4} rowClass="h-14" />
      ) : members.isError ? (
        <ErrorState title={t('failed')} error={members.error} onRetry={() => void members.refetch()} />
      ) : (
        <MemberTable members={members.data} />
      )}
      {refusal === undefined && <InvitationsCard />}
      <RolesCard />
      {invite && refusal === undefined && <InviteFlow onClose={() => void navigate({ search: {} })} />}
    </Page>
  )
}
