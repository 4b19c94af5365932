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

/** A channel token has these unless it was regenerated with fewer. Reading its own channel needs none. */
export const CHANNEL_TOKEN_SCOPES: readonly Scope[] = [
  'messages:send',
  'media:write',
  'profile:write',
  'templates:write',
  'calls:write',
]

/** In ascending order of rights. */
export const ROLES = ['viewer', 'developer', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** Every role lists its scopes, so that a new scope reaches a role by decision only. */
export const ROLE_SCOPES: Record<Role, readonly Scope[]> = {
  owner: SCOPES,
  admin: [
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
    'audit:read',
  ],
  developer: [
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
    'billing:read',
    'audit:read',
  ],
  viewer: [
    'channels:read',
    'messages:read',
    'templates:read',
    'webhooks:read',
    'api_keys:read',
    'billing:read',
    'audit:read',
  ],
}

export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

/** A principal grants only scopes that it has itself. */
export function findMissingScopes(requested: readonly Scope[], grantedScopes: readonly Scope[]): Scope[] {
  return requested.filter((scope) => !grantedScopes.includes(scope))
}
