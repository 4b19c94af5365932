import { defineTexts } from '../lib/texts.ts'
import { ROLE_SCOPES, ROLES } from './generated/definitions.gen.ts'
import type { SCOPES } from './generated/routes.gen.ts'
import { useRoleName } from './role-names.ts'
import { type CurrentSession, useSession } from './session.ts'

export type Role = CurrentSession['role']

/** The scopes of each role. The hub decides, this only says so before a click. */
const SCOPES_BY_ROLE: Record<Role, readonly string[]> = ROLE_SCOPES

const usePermissionTexts = defineTexts(
  'permissions',
  { needsScope: 'needs {{scope}}', needsRole: 'needs the role {{role}}' },
  { needsScope: 'requer {{scope}}', needsRole: 'requer o papel {{role}}' },
)

/** Why the role of the session does not allow something; undefined where it does. */
export function useRefusal(scope: (typeof SCOPES)[number]): string | undefined {
  const t = usePermissionTexts()
  return SCOPES_BY_ROLE[useSession().role].includes(scope) ? undefined : t('needsScope', { scope })
}

export function useRoleRefusal(role: Role): string | undefined {
  const t = usePermissionTexts()
  const roleName = useRoleName()
  return isAtLeast(useSession().role, role) ? undefined : t('needsRole', { role: roleName(role) })
}

export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}
