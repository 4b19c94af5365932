import type { Role, Scope } from '../../domains/auth/scopes.ts'
import type { Mount } from '../../domains/facade/allowlist/allowlist.ts'
import { DASHBOARD_ASSETS, DASHBOARD_PAGES } from './dashboard-addresses.ts'
import { PUBLIC_LIMITS, type PublicLimits } from './rate-limits.ts'

/**
 * Who may call a route: any client within limits, the sender of a signed callback, a session of at least a role, or a
 * credential with a scope. Only probes and static assets are public without limits. With `channelToken` the credential
 * may be the token of the channel in the path; elsewhere channel tokens are refused. `alsoScope` is needed besides. The facade accepts channel tokens
 * only, and its allowlist has the scope of each path. `isPersonal` routes are about the person and not the organization,
 * so that they stay open to a member without the second factor that the organization requires. With `isOfPath` the
 * session acts for the organization in the path. A link on another site must not start an `isDownload` route.
 */
export type Access =
  | { public: PublicLimits | 'unlimited'; anyOrigin?: true }
  | { callback: true }
  | { session: Role; isPersonal?: true; isOfPath?: true; isDownload?: true }
  | { scope: Scope; alsoScope?: Scope; channelToken?: true }
  | { facade: Mount }

const PERSONAL: Access = { session: 'viewer', isPersonal: true }

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
  'POST /api/v1/webhooks/:id/deliveries/:deliveryId/retry': { scope: 'webhooks:write' },
  'POST /api/v1/webhooks/:id/replay/:deliveryId': { scope: 'webhooks:write' },
  'POST /api/v1/webhooks/:id/test': { scope: 'webhooks:write' },
  'POST /api/v1/webhooks/:id/recover': { scope: 'webhooks:write' },
  'POST /api/v1/webhooks/:id/rotate-secret': { scope: 'webhooks:write' },
  // What a listener receives has the content of messages.
  'POST /api/v1/listeners': { scope: 'webhooks:write', alsoScope: 'messages:read' },
  'GET /api/v1/listeners/:id/stream': { scope: 'messages:read', alsoScope: 'webhooks:write' },
  'POST /api/v1/listeners/:id/acknowledge': { scope: 'webhooks:write' },
  'DELETE /api/v1/listeners/:id': { scope: 'webhooks:write' },
  'GET /api/v1/subscription': { scope: 'billing:read' },
  'GET /api/v1/usage': { scope: 'billing:read' },
  'GET /api/v1/usage/costs': { scope: 'billing:read' },
  'POST /api/v1/subscription/addons': { scope: 'billing:write' },
  'POST /api/v1/subscription/addons/preview': { scope: 'billing:read' },
  'POST /api/v1/subscription/checkout': { scope: 'billing:write' },
  'POST /api/v1/subscription/portal': { scope: 'billing:write' },
  'GET /api/v1/connect/:token': { public: PUBLIC_LIMITS.link },
  'POST /api/v1/connect/:token': { public: PUBLIC_LIMITS.link },

  'GET /upstream/*': { facade: 'upstream' },
  'POST /upstream/*': { facade: 'upstream' },
  'DELETE /upstream/*': { facade: 'upstream' },
  'GET /graph/*': { facade: 'graph' },
  'POST /graph/*': { facade: 'graph' },
  'DELETE /graph/*': { facade: 'graph' },

  'GET /console/setup': { public: PUBLIC_LIMITS.page },
  'POST /console/sign-up': { public: PUBLIC_LIMITS.page },
  'GET /console/sign-up/:token': { public: PUBLIC_LIMITS.link },
  'POST /console/sign-up/:token': { public: PUBLIC_LIMITS.link },
  'POST /console/sign-in': { public: PUBLIC_LIMITS.page },
  'POST /console/password-reset': { public: PUBLIC_LIMITS.page },
  'GET /console/password-reset/:token': { public: PUBLIC_LIMITS.link },
  'POST /console/password-reset/:token': { public: PUBLIC_LIMITS.link },
  'GET /console/email-verification/:token': { public: PUBLIC_LIMITS.link },
  'POST /console/email-verification/:token': { public: PUBLIC_LIMITS.link },
  'POST /console/email-verification': PERSONAL,
  'POST /console/email-verification/confirm': PERSONAL,
  'POST /console/sign-out': PERSONAL,
  'GET /console/session': PERSONAL,
  'PUT /console/session/organization': PERSONAL,
  'GET /console/sessions': PERSONAL,
  'DELETE /console/sessions/:id': PERSONAL,
  'PATCH /console/account': PERSONAL,
  'PUT /console/password': PERSONAL,
  'POST /console/totp': PERSONAL,
  'POST /console/totp/confirm': PERSONAL,
  'POST /console/totp/disable': PERSONAL,
  'GET /console/organizations': PERSONAL,
  'GET /console/organizations/:id/events': { session: 'viewer', isOfPath: true },
  // Needs billing:read besides, which every role has.
  'GET /console/organizations/:id/invoices': { session: 'viewer', isOfPath: true },
  'GET /console/billing/prices': { session: 'viewer' },
  'GET /console/organizations/:id/export': { session: 'owner', isOfPath: true, isDownload: true },
  'POST /console/organizations/:id/erasures/preview': { session: 'admin', isOfPath: true },
  'POST /console/organizations/:id/erasures': { session: 'admin', isOfPath: true },
  'GET /console/organizations/:id/erasures': { session: 'admin', isOfPath: true },
  'GET /console/organizations/:id/erasures/:erasureId': { session: 'admin', isOfPath: true },
  'GET /console/organizations/:id/settings': { session: 'viewer', isOfPath: true },
  // Who may change which setting is decided by the service.
  'PATCH /console/organizations/:id/settings': { session: 'admin', isOfPath: true },
  'POST /console/organizations/:id/deletion': { session: 'owner', isOfPath: true },
  'DELETE /console/organizations/:id/deletion': { session: 'owner', isOfPath: true },
  // Like the audit log, which has the same addresses and ids: every role has audit:read.
  'GET /console/organizations/:id/requests': { session: 'viewer', isOfPath: true },
  'GET /console/organizations/:id/requests/errors': { session: 'viewer', isOfPath: true },
  'DELETE /console/channels/:id/templates/:name': { session: 'developer' },
  'POST /console/channels/:id/template-examples': { session: 'developer' },
  'GET /console/statistics': { session: 'viewer' },
  'GET /console/daily-statistics': { session: 'viewer' },
  'GET /console/endpoint-statistics': { session: 'viewer' },
  'GET /console/channel-activity': { session: 'viewer' },
  'GET /console/attention': { session: 'viewer' },
  'GET /console/members': { session: 'viewer' },
  'PATCH /console/members/:id': { session: 'admin' },
  'DELETE /console/members/:id': { session: 'viewer' },
  'GET /console/invitations': { session: 'admin' },
  'POST /console/invitations': { session: 'admin' },
  'DELETE /console/invitations/:id': { session: 'admin' },
  'GET /console/join/:token': { public: PUBLIC_LIMITS.link },
  'POST /console/join/:token': { public: PUBLIC_LIMITS.link },

  // Every role has messages:read, which revealing and exporting need besides.
  'GET /console/messages': { session: 'viewer' },
  'GET /console/messages/export': { session: 'viewer', isDownload: true },
  'GET /console/messages/:id': { session: 'viewer' },
  'POST /console/messages/:id/reveal': { session: 'viewer' },
  'GET /console/messages/:id/media': { session: 'viewer', isDownload: true },
  'GET /console/deliveries/:id': { session: 'viewer' },
  'GET /console/webhooks/:id/deliveries/:deliveryId/payload': { session: 'viewer' },
  // The body of a delivery has the content of messages, so that this needs messages:read, which every role has.
  'POST /console/webhooks/:id/deliveries/:deliveryId/reveal': { session: 'viewer' },
  'GET /console/webhooks/:id/recoverable': { session: 'viewer' },
  'GET /console/webhooks/:id/test-allowance': { session: 'viewer' },

  'GET /console/sandbox': { session: 'viewer' },
  'POST /console/sandbox/channels/:id/connect': { session: 'developer' },
  'GET /console/sandbox/channels/:id/conversation': { session: 'viewer' },
  'POST /console/sandbox/channels/:id/messages': { session: 'developer' },
  'POST /console/sandbox/channels/:id/read': { session: 'developer' },
  'GET /console/sandbox/channels/:id/faults': { session: 'viewer' },
  'PUT /console/sandbox/channels/:id/faults': { session: 'developer' },
  'POST /console/sandbox/channels/:id/quality': { session: 'developer' },
  'POST /console/sandbox/channels/:id/revoke-token': { session: 'developer' },
  'POST /console/sandbox/channels/:id/templates/:template/review': { session: 'developer' },

  'GET /hooks/upstream': { callback: true },
  'POST /hooks/upstream': { callback: true },
  'POST /hooks/billing': { callback: true },

  'GET /health': { public: 'unlimited' },
  'GET /ready': { public: 'unlimited' },
  'GET /metrics': { public: 'unlimited' },
  'GET /openapi.json': { public: 'unlimited' },
  'GET /docs': { public: 'unlimited' },
  'GET /docs/start.js': { public: 'unlimited' },
  'GET /docs/swagger-ui.css': { public: 'unlimited' },
  'GET /docs/swagger-ui-bundle.js': { public: 'unlimited' },
  'GET /connect': { public: PUBLIC_LIMITS.page },
  'GET /connect/:token': { public: PUBLIC_LIMITS.link },
  'GET /connect/assets/connect.js': { public: 'unlimited' },
  'GET /connect/assets/connect.css': { public: 'unlimited' },
  'GET /connect/assets/translations.js': { public: 'unlimited' },
  'GET /billing/plan/:token': { public: PUBLIC_LIMITS.link },
  // The link is the credential, and a page without a referrer posts its form with `Origin: null`.
  'POST /billing/plan/:token': { public: PUBLIC_LIMITS.link, anyOrigin: true },
  'GET /billing/portal/:token': { public: PUBLIC_LIMITS.link },
  'GET /billing/return': { public: PUBLIC_LIMITS.page },
  'GET /forgot-password': { public: PUBLIC_LIMITS.page },
  'POST /forgot-password': { public: PUBLIC_LIMITS.page },
  'GET /reset-password/:token': { public: PUBLIC_LIMITS.link },
  'POST /reset-password/:token': { public: PUBLIC_LIMITS.link },
  'GET /verify-email/:token': { public: PUBLIC_LIMITS.link },
  'POST /verify-email/:token': { public: PUBLIC_LIMITS.link },
  'GET /finish-sign-up/:token': { public: PUBLIC_LIMITS.link },
  'POST /finish-sign-up/:token': { public: PUBLIC_LIMITS.link },
  'GET /join/:token': { public: PUBLIC_LIMITS.link },
  'POST /join/:token': { public: PUBLIC_LIMITS.link },
  'GET /assets/page.css': { public: 'unlimited' },
  [`GET ${DASHBOARD_ASSETS}`]: { public: 'unlimited' },
  // The pages hold nothing of a tenant: their script loads it with the session.
  ...Object.fromEntries(DASHBOARD_PAGES.map((path) => [`GET ${path}`, { public: PUBLIC_LIMITS.page }])),
}
