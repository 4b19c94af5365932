import type { CurrentSession } from '@hubline/sdk/console'
import { ROLE_SCOPES, ROLES } from './generated/definitions.gen.ts'
import type { SCOPES } from './generated/routes.gen.ts'

export type Role = CurrentSession['role']
export type Scope = (typeof SCOPES)[number]

/** The hub decides, this only says so before a click. */
const SCOPES_BY_ROLE: Record<Role, readonly string[]> = ROLE_SCOPES

export function hasScope(role: Role, scope: Scope): boolean {
  return SCOPES_BY_ROLE[role].includes(scope)
}

export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}
