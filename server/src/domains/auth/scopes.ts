export const SCOPES = [
  'channels:read',
  'channels:write',
  'messages:read',
  'messages:send',
  'media:write',
  'templates:read',
  'templates:write',
  'profile:write',
  'calls:write',
  'webhooks:read',
  'webhooks:write',
  'api_keys:read',
  'api_keys:write',
  'billing:read',
  'billing:write',
  'audit:read',
] as const
export type Scope = (typeof SCOPES)[number]

/** What a channel token holds unless it was regenerated with less. Reading its own channel needs none of them. */
export const CHANNEL_TOKEN_SCOPES: readonly Scope[] = [
  'messages:send',
  'media:write',
  'profile:write',
  'templates:write',
  'calls:write',
]

/** From least to most. */
export const ROLES = ['viewer', 'developer', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

export const ROLE_SCOPES: Record<Role, readonly Scope[]> = {
  owner: SCOPES,
  admin: SCOPES.filter((scope) => scope !== 'billing:write'),
  developer: SCOPES.filter((scope) => scope !== 'billing:write' && scope !== 'api_keys:write'),
  viewer: SCOPES.filter((scope) => scope.endsWith(':read')),
}

export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

/** Those of `wanted` that `held` lacks. Nobody can hand on what they do not hold. */
export function missingScopes(wanted: readonly Scope[], held: readonly Scope[]): Scope[] {
  return wanted.filter((scope) => !held.includes(scope))
}
