import { defineTexts } from '../lib/texts.ts'
import { useRoleName } from './role-names.ts'
import { hasScope, isAtLeast, type Role, type Scope } from './role-scopes.ts'
import { useSession } from './session.ts'

const usePermissionTexts = defineTexts('permissions')

/** Explains why the role of the session does not allow something; undefined if it does. */
export function useRefusal(scope: Scope): string | undefined {
  const t = usePermissionTexts()
  return hasScope(useSession().role, scope) ? undefined : t('needsScope', { scope })
}

export function useRoleRefusal(role: Role): string | undefined {
  const t = usePermissionTexts()
  const roleName = useRoleName()
  return isAtLeast(useSession().role, role) ? undefined : t('needsRole', { role: roleName(role) })
}
