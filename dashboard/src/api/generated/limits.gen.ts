// Generated from server/src/app/http/rate-limits.ts by `npm run generate`. Do not edit.

/** The version of the hub that this dashboard belongs to. */
export const HUB_VERSION = '0.1.0'

/** Requests a minute; of sends and the facade a second. */
export const REQUESTS_MAX = { perKey: 600, perOrganization: 3000, webhooks: 120, sends: 80, facade: 80 }
