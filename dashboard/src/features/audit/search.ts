/** Lengths of time, in days. */
const DAYS = { day: 1, week: 7, month: 30 } as const
type Since = keyof typeof DAYS

export type AuditSearch = { action?: string; actor_id?: string; target_id?: string; since?: Since; open?: string }

/** The hub takes no longer ones. */
const LENGTH_MAX = 100

/** The filters of the log and the open entry, as the address has them. */
export function parseAuditSearch({ since, ...search }: Record<string, unknown>): AuditSearch {
  const given = (['action', 'actor_id', 'target_id', 'open'] as const).map((name) => [name, search[name]] as const)
  return {
    ...Object.fromEntries(given.filter(([, value]) => isText(value))),
    ...(isSince(since) && { since }),
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LENGTH_MAX
}

function isSince(value: unknown): value is Since {
  return typeof value === 'string' && Object.hasOwn(DAYS, value)
}

/** The filters of the address as the API takes them: a length of time becomes a moment. */
export function toQuery({ action, actor_id, target_id, since }: AuditSearch, now: Date) {
  // Whole hours, so that the same filter is the same query for a while.
  const hour = Math.floor(now.getTime() / 3_600_000) * 3_600_000
  return {
    ...(action && { action }),
    ...(actor_id && { actor_id }),
    ...(target_id && { target_id }),
    ...(since && { since: new Date(hour - DAYS[since] * 86_400_000).toISOString() }),
  }
}
