import { ROLES } from '../../api/generated/definitions.gen.ts'
import { isAtLeast, type Role } from '../../api/role-scopes.ts'

/** The permissions of each role; a role may also do what those before it may. */
export const ABILITIES = [
  { name: 'read', from: 'viewer' },
  { name: 'operate', from: 'developer' },
  { name: 'keys', from: 'admin' },
  { name: 'people', from: 'admin' },
  { name: 'billing', from: 'owner' },
] as const satisfies readonly { name: string; from: Role }[]

/** A person gives roles up to their own. */
export function listGrantable(own: Role): Role[] {
  return isAtLeast(own, 'admin') ? ROLES.filter((role) => isAtLeast(own, role)) : []
}
