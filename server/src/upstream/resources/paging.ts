import { isObject, toList, toText } from '../../kernel/json/values.ts'

export type Page<T> = {
  data: T[]
  /** The cursor of the next page, or null on the last one. */
  after: string | null
}

/**
 * Reads one page of a list. The page URLs contain the caller's token, so only the cursor
 * is kept; and the last page has a cursor too, so `next` decides whether there is more.
 */
export function readPage<T>(body: unknown, readItem: (item: unknown) => T | undefined): Page<T> | undefined {
  if (!isObject(body) || !Array.isArray(body.data)) return undefined
  const data: T[] = []
  for (const item of toList(body.data)) {
    const value = readItem(item)
    if (value === undefined) return undefined
    data.push(value)
  }
  const { cursors, next } = isObject(body.paging) ? body.paging : {}
  const after = isObject(cursors) ? toText(cursors.after) : null
  return { data, after: typeof next === 'string' ? after : null }
}
