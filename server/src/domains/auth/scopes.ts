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
  'number:write',
  'webhooks:read',
  'webhooks:write',
  'api_keys:read',
  'api_keys:write',
  'billing:read',
  'billing:write',
  'audit:read',
] as const
export type Scope = (typeof SCOPES)[number]

/** The scopes that the token of a new channel gets, as far as the creator of the channel has them. */
export const NEW_TOKEN_SCOPES: readonly Scope[] = [
  'channels:read',
  'messages:read',
  'templates:read',
  'messages:send',
  'media:write',
  'profile:write',
  'templates:write',
  'calls:write',
]

/**
 * The scopes that a channel token can have: what it may do with its own channel. `number:write` changes how the number
 * behaves for all its contacts, so a token has it only if it was asked for by name.
 */
export const CHANNEL_TOKEN_SCOPES: readonly Scope[] = [...NEW_TOKEN_SCOPES, 'number:write']

/** In ascending order of rights. */
export const ROLES = ['viewer', 'developer', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

const VIEWER: readonly Scope[] = [
  'channels:read',
  'messages:read',
  'templates:read',
  'webhooks:read',
  'api_keys:read',
  'billing:read',
  'audit:read',
]
const DEVELOPER: readonly Scope[] = [
  ...VIEWER,
  'channels:write',
  'messages:send',
  'media:write',
  'templates:write',
  'profile:write',
  'calls:write',
  'number:write',
  'webhooks:write',
]

/** Every role but the owner's lists its scopes, so that a new scope reaches one by decision only. */
export const ROLE_SCOPES: Record<Role, readonly Scope[]> = {
  viewer: VIEWER,
  developer: DEVELOPER,
  admin: [...DEVELOPER, 'api_keys:write'],
  owner: SCOPES,
}

export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}
