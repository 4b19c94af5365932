import type { Role } from '../../api/permissions.ts'
import { useRoleName } from '../../api/role-names.ts'
import { CheckField } from '../../ui/controls/field.tsx'
import { useMembersTexts } from './members-texts.ts'

type RoleChoiceProps = { roles: readonly Role[]; value: Role; onChange: (role: Role) => void }

/** The roles with what each is for, since their names alone do not say it. */
export function RoleChoice({ roles, value, onChange }: RoleChoiceProps) {
  const t = useMembersTexts()
  const roleName = useRoleName()
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium text-text">{t('role')}</legend>
      {roles.map((role) => (
        <CheckField
          key={role}
          type="radio"
          name="role"
          label={roleName(role)}
          hint={t(`about.${role}`)}
          checked={role === value}
          onChange={() => onChange(role)}
        />
      ))}
    </fieldset>
  )
}
