import { ROLES } from '../../api/generated/definitions.gen.ts'
import { useRoleName } from '../../api/role-names.ts'
import { isAtLeast } from '../../api/role-scopes.ts'
import { Card, Facts } from '../../ui/data/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { useMembersTexts } from './members-texts.ts'
import { ABILITIES } from './roles.ts'

type Ability = (typeof ABILITIES)[number]

export function RolesCard() {
  const t = useMembersTexts()
  const roleName = useRoleName()
  const columns: Column<Ability>[] = [
    {
      id: 'ability',
      header: t('ability'),
      cell: ({ name }) => <span className="text-text">{t(`ability.${name}`)}</span>,
    },
    ...ROLES.map((role) => ({
      id: role,
      header: roleName(role),
      className: 'w-32',
      cell: ({ from }: Ability) =>
        isAtLeast(role, from) ? (
          <>
            <Icon name="check" size={14} className="text-ok" />
            <span className="sr-only">{t('yes')}</span>
          </>
        ) : (
          <>
            <span aria-hidden="true" className="text-text-3">
              –
            </span>
            <span className="sr-only">{t('no')}</span>
          </>
        ),
    })),
  ]
  return (
    <Card title={t('roles')}>
      <div className="max-tablet:hidden">
        <Table label={t('roles')} columns={columns} rows={ABILITIES} rowKey={({ name }) => name} />
      </div>
      {/* A phone has no room for the matrix. */}
      <div className="hidden max-tablet:block">
        <Facts facts={ROLES.map((role) => [roleName(role), t(`about.${role}`)])} />
      </div>
    </Card>
  )
}
