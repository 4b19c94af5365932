import { useState } from 'react'

/** The page begins at a row, or after one that was the last of the page before. */
type Anchor = { key: string; isBefore: boolean }

/**
 * A page of rows that come newest first: the document has as many nodes for a thousand rows as for one page. The first page follows what is
 * new; on any other the rows stay, because it begins at a row and not at a position.
 */
export function useRowPage<Row>(
  rows: readonly Row[],
  toKey: (row: Row) => string,
  { size, wanted }: { size: number; wanted?: string | undefined },
) {
  const [anchor, setAnchor] = useState<Anchor>()
  const [found, setFound] = useState<string>()
  const find = (key: string) => rows.findIndex((row) => toKey(row) === key)
  const start = anchor === undefined ? 0 : findStart(find(anchor.key), anchor, { size, length: rows.length })
  const end = Math.min(start + size, rows.length)
  const at = wanted === undefined ? -1 : find(wanted)

  function turnTo(position: number): void {
    const row = rows[position]
    setAnchor(position <= 0 || row === undefined ? undefined : { key: toKey(row), isBefore: false })
  }
  // The row that is asked for is shown once; then the pages can be turned away from it.
  if (at >= 0 && found !== wanted) {
    setFound(wanted)
    if (at < start || at >= end) turnTo(at - (at % size))
  }
  if (wanted === undefined && found !== undefined) setFound(undefined)

  return {
    rows: rows.slice(start, end),
    hasLater: start > 0,
    hasEarlier: end < rows.length,
    showLater: () => turnTo(start - size),
    /** If there are no earlier rows yet, they are shown once they are there. */
    showEarlier(): void {
      const last = rows[end - 1]
      if (last !== undefined) setAnchor({ key: toKey(last), isBefore: true })
    },
    showLatest: () => setAnchor(undefined),
  }
}

function findStart(at: number, { isBefore }: Anchor, { size, length }: { size: number; length: number }): number {
  if (at < 0) return 0
  if (!isBefore) return at
  return at + 1 < length ? at + 1 : Math.max(0, at + 1 - size)
}
