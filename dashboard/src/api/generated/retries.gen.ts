// Generated from server/src/domains/webhooks/attempts/retry-schedule.ts by `npm run generate`. Do not edit.

/** The waits after each failed attempt. */
export const WAITS_MS = [5000, 60000, 300000, 1800000, 7200000, 21600000, 43200000, 86400000, 172800000] as const
