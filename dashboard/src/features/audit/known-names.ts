import type { AuditEntry } from '@hubline/sdk'

export type KnownName = { id: string; type: string; name: string }

/** Names that entries themselves have: of things that were deleted since, and of people who have left. */
export function listNamesOfEntries(entries: readonly AuditEntry[]): { targets: KnownName[]; actors: KnownName[] } {
  const targets = entries.flatMap(({ target: { id, type }, details }) => {
    return typeof details.name === 'string' ? [{ id, type, name: details.name }] : []
  })
  const actors = entries.flatMap(({ actor: { id, type, name } }) =>
    id !== null && name !== null ? [{ id, type, name }] : [],
  )
  return { targets, actors }
}

/** Each thing once, by the first of its names, in the order of the names. */
export function sortNames(names: readonly KnownName[]): KnownName[] {
  const byId = new Map(names.toReversed().map((name) => [name.id, name]))
  return [...byId.values()].sort((a, b) => a.name.localeCompare(b.name))
}
