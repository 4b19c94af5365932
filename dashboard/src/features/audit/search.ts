export type AuditSearch = { action?: string; actor_id?: string; target_id?: string; since?: string; open?: string }

const NAMES = ['action', 'actor_id', 'target_id', 'since', 'open'] as const

/** The filters of the log and the open entry, as the address has them. */
export function parseAuditSearch(search: Record<string, unknown>): AuditSearch {
  const given = NAMES.map((name) => [name, search[name]] as const)
  return Object.fromEntries(given.filter(([, value]) => typeof value === 'string' && value !== ''))
}
