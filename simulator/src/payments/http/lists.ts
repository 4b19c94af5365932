import type { List } from '../objects/list.ts'
import { malformed, missing } from './errors.ts'
import { integer, isWithin, optional, type Range, range, text } from './params.ts'

const LIMIT_DEFAULT = 10
const LIMIT_MAX = 100

/** What every list takes. */
export const PAGING = {
  limit: optional(integer),
  starting_after: optional(text),
  ending_before: optional(text),
}

export const CREATED = { created: optional(range) }

interface Paging {
  limit: number | undefined
  starting_after: string | undefined
  ending_before: string | undefined
  created?: Range | undefined
}

/** One page of objects that came in the order of their making; lists begin with the newest. */
export function pageOf<T extends { id: string; created?: number }>(
  objects: T[],
  paging: Paging,
  { url, kind }: { url: string; kind: string },
): List<T> {
  const limit = limitOf(paging.limit)
  const { created } = paging
  const all = objects.filter((item) => !created || isWithin(item.created ?? 0, created)).reverse()
  if (paging.ending_before !== undefined) {
    const before = all.slice(0, positionOf(all, paging.ending_before, kind, 'ending_before'))
    return { object: 'list', data: before.slice(-limit), has_more: before.length > limit, url }
  }
  const after = paging.starting_after
  const rest = after === undefined ? all : all.slice(positionOf(all, after, kind, 'starting_after') + 1)
  return { object: 'list', data: rest.slice(0, limit), has_more: rest.length > limit, url }
}

function limitOf(given: number | undefined): number {
  const limit = given ?? LIMIT_DEFAULT
  if (limit < 1 || limit > LIMIT_MAX) throw malformed(`Invalid limit: must be from 1 to ${LIMIT_MAX}`, 'limit')
  return limit
}

function positionOf(objects: { id: string }[], id: string, kind: string, param: string): number {
  const position = objects.findIndex((object) => object.id === id)
  if (position < 0) throw missing(kind, id, param)
  return position
}
