import { defineTexts } from '../lib/texts.ts'
import { useRoleName } from './role-names.ts'
import { type CurrentSession, useSession } from './session.ts'

type Role = CurrentSession['role']
export type Scope =
  | 'channels:write'
  | 'messages:read'
  | 'messages:send'
  | 'templates:write'
  | 'webhooks:write'
  | 'api_keys:write'
  | 'billing:write'

/** The writes of each role; every role reads. The hub decides, this only says so before a click. */
const DEVELOPER: readonly Scope[] = [
  'channels:write',
  'messages:read',
  'messages:send',
  'templates:write',
  'webhooks:write',
]
const WRITES: Record<Role, readonly Scope[]> = {
  viewer: ['messages:read'],
  developer: DEVELOPER,
  admin: [...DEVELOPER, 'api_keys:write'],
  owner: [...DEVELOPER, 'api_keys:write', 'billing:write'],
}

const RANKS: Record<Role, number> = { viewer: 0, developer: 1, admin: 2, owner: 3 }

const usePermissionTexts = defineTexts(
  'permissions',
  { needsScope: 'needs {{scope}}', needsRole: 'needs the role {{role}}' },
  { needsScope: 'requer {{scope}}', needsRole: 'requer o papel {{role}}' },
)

/** Why the role of the session does not allow something; undefined where it does. */
export function useRefusal(scope: Scope): string | undefined {
  const t = usePermissionTexts()
  return WRITES[useSession().role].includes(scope) ? undefined : t('needsScope', { scope })
}

export function useRoleRefusal(role: Role): string | undefined {
  const t = usePermissionTexts()
  const roleName = useRoleName()
  return RANKS[useSession().role] >= RANKS[role] ? undefined : t('needsRole', { role: roleName(role) })
}
