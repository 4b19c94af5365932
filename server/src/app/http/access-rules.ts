import type { Role, Scope } from '../../domains/auth/scopes.ts'

/**
 * Who may call a route: any client, the sender of a signed callback, a session of at least a role, or a credential with a
 * scope. With `channelToken` the credential may be the token of the channel in the path; elsewhere channel tokens are
 * refused. The facade accepts channel tokens only, and its allowlist has the scope of each path.
 */
export type Access =
  | { public: true; anyOrigin?: true }
  | { callback: true }
  | { session: Role }
  | { scope: Scope; channelToken?: true }
  | { facade: true }

/** One rule for every route. The hub does not start with a route that is missing here, nor with a rule that has no route. */
export const ACCESS_RULES: Record<string, Access> = {
  'GET /api/v1/api-keys': { scope: 'api_keys:read' },
  'POST /api/v1/api-keys': { scope: 'api_keys:write' },
  'POST /api/v1/api-keys/:id/revoke': { scope: 'api_keys:write' },
  'GET /api/v1/audit-log': { scope: 'audit:read' },

  'GET /api/v1/channels': { scope: 'channels:read' },
  'POST /api/v1/channels': { scope: 'channels:write' },
  'GET /api/v1/channels/:id': { scope: 'channels:read', channelToken: true },
  'PATCH /api/v1/channels/:id': { scope: 'channels:write' },
  'DELETE /api/v1/channels/:id': { scope: 'channels:write' },
  'POST /api/v1/channels/:id/connect-link': { scope: 'channels:write' },
  'POST /api/v1/channels/:id/regenerate-token': { scope: 'channels:write' },
  'POST /api/v1/channels/:id/revoke-token': { scope: 'channels:write' },
  'GET /api/v1/channels/:id/diagnostics': { scope: 'channels:read', channelToken: true },
  'POST /api/v1/channels/:id/connection': { scope: 'channels:write' },
  'POST /api/v1/channels/:id/media': { scope: 'media:write', channelToken: true },
  'GET /api/v1/channels/:id/messages': { scope: 'messages:read', channelToken: true },
  'POST /api/v1/channels/:id/messages': { scope: 'messages:send', channelToken: true },
  'GET /api/v1/channels/:id/templates': { scope: 'templates:read', channelToken: true },
  'POST /api/v1/channels/:id/templates': { scope: 'templates:write', channelToken: true },
  'GET /api/v1/webhooks': { scope: 'webhooks:read' },
  'POST /api/v1/webhooks': { scope: 'webhooks:write' },
  'GET /api/v1/webhooks/:id': { scope: 'webhooks:read' },
  'PATCH /api/v1/webhooks/:id': { scope: 'webhooks:write' },
  'DELETE /api/v1/webhooks/:id': { scope: 'webhooks:write' },
  'GET /api/v1/webhooks/:id/deliveries': { scope: 'webhooks:read' },
  'GET /api/v1/webhooks/:id/deliveries/:deliveryId': { scope: 'webhooks:read' },
  'POST /api/v1/webhooks/:id/replay/:deliveryId': { scope: 'webhooks:write' },
  'POST /api/v1/webhooks/:id/test': { scope: 'webhooks:write' },
  'POST /api/v1/webhooks/:id/recover': { scope: 'webhooks:write' },
  'POST /api/v1/webhooks/:id/rotate-secret': { scope: 'webhooks:write' },
  'GET /api/v1/subscription': { scope: 'billing:read' },
  'GET /api/v1/usage': { scope: 'billing:read' },
  'POST /api/v1/subscription/addons': { scope: 'billing:write' },
  'POST /api/v1/subscription/addons/preview': { scope: 'billing:read' },
  'POST /api/v1/subscription/checkout': { scope: 'billing:write' },
  'POST /api/v1/subscription/portal': { scope: 'billing:write' },
  'GET /api/v1/connect/:token': { public: true },
  'POST /api/v1/connect/:token': { public: true },

  'GET /upstream/*': { facade: true },
  'POST /upstream/*': { facade: true },
  'DELETE /upstream/*': { facade: true },

  'POST /console/sign-up': { public: true },
  'POST /console/sign-in': { public: true },
  'POST /console/sign-out': { session: 'viewer' },
  'GET /console/session': { session: 'viewer' },
  'PUT /console/session/organization': { session: 'viewer' },
  'GET /console/sessions': { session: 'viewer' },
  'DELETE /console/sessions/:id': { session: 'viewer' },
  'PUT /console/password': { session: 'viewer' },
  'POST /console/totp': { session: 'viewer' },
  'POST /console/totp/confirm': { session: 'viewer' },
  'POST /console/totp/disable': { session: 'viewer' },
  'GET /console/organizations': { session: 'viewer' },
  'GET /console/members': { session: 'viewer' },
  'PATCH /console/members/:id': { session: 'admin' },
  'DELETE /console/members/:id': { session: 'viewer' },
  'GET /console/invitations': { session: 'admin' },
  'POST /console/invitations': { session: 'admin' },
  'DELETE /console/invitations/:id': { session: 'admin' },
  'GET /console/join/:token': { public: true },
  'POST /console/join/:token': { public: true },

  'GET /hooks/upstream': { callback: true },
  'POST /hooks/upstream': { callback: true },
  'POST /hooks/billing': { callback: true },

  'GET /': { public: true },
  'GET /health': { public: true },
  'GET /ready': { public: true },
  'GET /metrics': { public: true },
  'GET /openapi.json': { public: true },
  'GET /docs': { public: true },
  'GET /docs/start.js': { public: true },
  'GET /docs/swagger-ui.css': { public: true },
  'GET /docs/swagger-ui-bundle.js': { public: true },
  'GET /connect': { public: true },
  'GET /connect/:token': { public: true },
  'GET /connect/assets/connect.js': { public: true },
  'GET /connect/assets/connect.css': { public: true },
  'GET /connect/assets/translations.js': { public: true },
  'GET /billing/plan/:token': { public: true },
  // The link is the credential, and a page without a referrer posts its form with `Origin: null`.
  'POST /billing/plan/:token': { public: true, anyOrigin: true },
  'GET /billing/portal/:token': { public: true },
  'GET /billing/return': { public: true },
  'GET /billing/assets/billing.css': { public: true },
}
