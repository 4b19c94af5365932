import type { Member } from '@hubline/sdk/console'
import { useState } from 'react'
import { isAtLeast } from '../../../api/permissions.ts'
import { useRoleName } from '../../../api/role-names.ts'
import { useSession } from '../../../api/session.ts'
import { IconButton } from '../../../ui/controls/button.tsx'
import { Menu, type MenuItem } from '../../../ui/controls/menu.tsx'
import { Badge } from '../../../ui/data/badge.tsx'
import { initials } from '../../../ui/data/initials.ts'
import { StatusIcon } from '../../../ui/data/status.tsx'
import { Time } from '../../../ui/data/time.tsx'
import { type Column, CUT_ON_PHONES } from '../../../ui/table/columns.ts'
import { Table } from '../../../ui/table/table.tsx'
import { useMembersTexts } from '../members-texts.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { RoleDialog } from './role-dialog.tsx'

type Question = { kind: 'role' | 'remove'; member: Member }

export function MemberTable({ members }: { members: readonly Member[] }) {
  const t = useMembersTexts()
  const roleName = useRoleName()
  const [question, setQuestion] = useState<Question>()
  const columns: Column<Member>[] = [
    {
      id: 'member',
      header: t('member'),
      className: CUT_ON_PHONES,
      cell: (member) => <Person member={member} />,
    },
    { id: 'role', header: t('role'), cell: ({ role }) => <span className="text-text">{roleName(role)}</span> },
    {
      id: 'totp',
      header: t('totp'),
      from: 'tablet',
      cell: ({ totp_enabled }) => (
        <span className="inline-flex items-center gap-1.5">
          <StatusIcon status={totp_enabled ? 'active' : 'disabled'} />
          {totp_enabled ? t('totpOn') : t('totpOff')}
        </span>
      ),
    },
    { id: 'since', header: t('since'), from: 'tablet', cell: ({ created_at }) => <Time at={created_at} /> },
    {
      id: 'menu',
      header: '',
      isNumber: true,
      className: 'w-10 last:pr-2',
      cell: (member) => <MemberMenu member={member} onAsk={setQuestion} />,
    },
  ]
  return (
    <>
      <Table label={t('title')} columns={columns} rows={members} rowKey={({ id }) => id} size="double" />
      {question?.kind === 'role' && <RoleDialog member={question.member} onClose={() => setQuestion(undefined)} />}
      {question?.kind === 'remove' && <RemoveDialog member={question.member} onClose={() => setQuestion(undefined)} />}
    </>
  )
}

function Person({ member }: { member: Member }) {
  const t = useMembersTexts()
  const { user } = useSession()
  return (
    <span className="flex min-w-0 items-center gap-3">
      <span
        aria-hidden="true"
        className="flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft text-meta font-semibold text-accent"
      >
        {initials(member.name)}
      </span>
      <span className="min-w-0">
        <span className="flex items-center gap-2 font-medium text-text">
          <span className="truncate">{member.name}</span>
          {member.id === user.id && <Badge tone="accent">{t('you')}</Badge>}
        </span>
        <span className="block truncate text-meta text-text-3">{member.email}</span>
      </span>
    </span>
  )
}

/** Everyone may leave; an admin acts on members whose role is not above theirs. */
function MemberMenu({ member, onAsk }: { member: Member; onAsk: (question: Question) => void }) {
  const t = useMembersTexts()
  const { user, role } = useSession()
  const isSelf = member.id === user.id
  const mayAct = isAtLeast(role, 'admin') && isAtLeast(role, member.role)
  const items: MenuItem[] = [
    {
      label: mayAct || !isAtLeast(role, 'admin') ? t('changeRole') : t('above', { name: member.name }),
      icon: 'users',
      isDisabled: !mayAct,
      onSelect: () => onAsk({ kind: 'role', member }),
    },
    {
      label: isSelf ? t('leave') : t('remove'),
      icon: 'x',
      isDanger: true,
      isDisabled: !isSelf && !mayAct,
      onSelect: () => onAsk({ kind: 'remove', member }),
    },
  ]
  if (!isSelf && !isAtLeast(role, 'admin')) return null
  return (
    <Menu
      align="end"
      trigger={<IconButton icon="dots" label={t('actions', { name: member.name })} />}
      items={isSelf && !mayAct ? items.slice(1) : items}
    />
  )
}
