import type { CurrentSession } from '@hubline/sdk/console'

export type Role = CurrentSession['role']

/** In ascending order of rights. */
export const ROLES: readonly Role[] = ['viewer', 'developer', 'admin', 'owner']

/** What each role may do; a role may also do what those before it may. */
export const ABILITIES = [
  { name: 'read', from: 'viewer' },
  { name: 'operate', from: 'developer' },
  { name: 'keys', from: 'admin' },
  { name: 'people', from: 'admin' },
  { name: 'billing', from: 'owner' },
] as const satisfies readonly { name: string; from: Role }[]

export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

/** A person gives roles up to their own. */
export function listGrantable(own: Role): Role[] {
  return isAtLeast(own, 'admin') ? ROLES.filter((role) => isAtLeast(own, role)) : []
}
