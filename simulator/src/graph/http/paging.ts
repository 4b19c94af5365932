import { asText, type Json, type JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import type { GraphCall } from './call.ts'
import { invalid, refusal } from './errors.ts'

const LIMIT_DEFAULT = 25
const LIMIT_MAX = 1_000

/**
 * One page of a list. A cursor holds the id of an item, so it stays valid while
 * other items come and go. As on the platform, the URLs of the next and previous
 * page contain the access token, which clients must not pass on.
 */
export function buildPage<T extends { id: string }>(
  graph: Graph,
  call: GraphCall,
  path: string,
  items: readonly T[],
  show: (item: T) => JsonObject,
): JsonObject {
  const limit = parseLimit(call.params.limit)
  const { after, before } = call.params
  const start = after !== undefined ? findPosition(items, after) + 1 : before !== undefined ? null : 0
  const first = start ?? Math.max(0, findPosition(items, before) - limit)
  const end = start === null ? findPosition(items, before) : first + limit
  const shown = items.slice(first, end)
  const [head, tail] = [shown[0], shown.at(-1)]
  if (!head || !tail) return { data: [] }
  const link = (direction: string, id: string) => pageUrl(graph, call, path, limit, direction, id)
  return {
    data: shown.map(show),
    paging: {
      cursors: { before: toCursor(head.id), after: toCursor(tail.id) },
      next: end < items.length ? link('after', tail.id) : undefined,
      previous: first > 0 ? link('before', head.id) : undefined,
    },
  }
}

function parseLimit(value: Json): number {
  if (value === undefined) return LIMIT_DEFAULT
  const limit = Number(value)
  if (!Number.isInteger(limit) || limit < 1) throw invalid('Param limit must be a positive integer')
  return Math.min(limit, LIMIT_MAX)
}

function toCursor(id: string): string {
  return Buffer.from(`cursor:${id}`).toString('base64url')
}

function findPosition(items: readonly { id: string }[], cursor: Json): number {
  const id = /^cursor:(.+)$/.exec(Buffer.from(asText(cursor), 'base64url').toString())?.[1]
  const position = items.findIndex((item) => item.id === id)
  if (position < 0) throw refusal(131059, 'The cursor is invalid or its item is gone. Start again without a cursor.')
  return position
}

function pageUrl(graph: Graph, call: GraphCall, path: string, limit: number, direction: string, id: string): string {
  const url = new URL(`${graph.url()}/${call.version}/${path}`)
  url.searchParams.set('access_token', call.token.value)
  for (const [name, value] of Object.entries(call.params)) {
    const isOwn = ['after', 'before', 'limit', 'access_token'].includes(name)
    if (!isOwn) url.searchParams.set(name, typeof value === 'object' ? JSON.stringify(value) : asText(value))
  }
  url.searchParams.set('limit', String(limit))
  url.searchParams.set(direction, toCursor(id))
  return url.href
}
