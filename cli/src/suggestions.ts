/** The name that was probably meant: the nearest one, if it is near enough. */
export function suggestName(typed: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, distance: name.startsWith(typed) ? 1 : countEdits(typed, name) }))
    .sort((a, b) => a.distance - b.distance)
  const [nearest] = ranked
  return nearest && nearest.distance <= Math.max(1, Math.floor(typed.length / 3)) ? nearest.name : undefined
}

/** Insertions, deletions, replacements and swaps of neighbors that turn one text into another. */
function countEdits(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const isEqual = from[i - 1] === to[j - 1]
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const changed = Math.min(
        (rows[i - 1]?.[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (rows[i - 1]?.[j - 1] ?? 0) + (isEqual ? 0 : 1),
      )
      row.push(isSwapped ? Math.min(changed, (rows[i - 2]?.[j - 2] ?? 0) + 1) : changed)
    }
    rows.push(row)
  }
  return rows[from.length]?.[to.length] ?? 0
}
