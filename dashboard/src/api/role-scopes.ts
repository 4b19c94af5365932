import type { CurrentSession } from '@hubline/sdk/console'

export type Role = CurrentSession['role']
export type Scope =
  | 'channels:write'
  | 'messages:read'
  | 'messages:send'
  | 'templates:write'
  | 'webhooks:write'
  | 'api_keys:write'
  | 'billing:write'

/** In ascending order of rights. */
export const ROLES: readonly Role[] = ['viewer', 'developer', 'admin', 'owner']

const DEVELOPER: readonly Scope[] = [
  'channels:write',
  'messages:read',
  'messages:send',
  'templates:write',
  'webhooks:write',
]
/** The writes of each role; every role reads. The hub decides, this only says so before a click. */
const WRITES: Record<Role, readonly Scope[]> = {
  viewer: ['messages:read'],
  developer: DEVELOPER,
  admin: [...DEVELOPER, 'api_keys:write'],
  owner: [...DEVELOPER, 'api_keys:write', 'billing:write'],
}

export function hasScope(role: Role, scope: Scope): boolean {
  return WRITES[role].includes(scope)
}

export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}
