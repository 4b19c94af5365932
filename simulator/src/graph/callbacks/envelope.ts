import { asList, asObject, type JsonObject, toAsciiJson } from '../../json.ts'
import type { Update } from './callback.ts'

const UPDATES_MAX = 1_000
const BYTES_MAX = 3 * 1024 * 1024

/** Splits updates into batches of at most `size` updates and of at most the platform's payload size. */
export function splitIntoBatches<T extends { update: Update }>(items: readonly T[], size: number): T[][] {
  const batches: T[][] = []
  let room = 0
  for (const item of items) {
    const bytes = toAsciiJson(item.update.value).length
    const last = batches.at(-1)
    if (last && last.length < Math.min(size, UPDATES_MAX) && bytes <= room) {
      last.push(item)
      room -= bytes
    } else {
      batches.push([item])
      room = BYTES_MAX - bytes
    }
  }
  return batches
}

/** Builds a payload with one entry per account and one change per update. */
export function buildEnvelope(updates: readonly Update[], nowMs: number): string {
  const entries = new Map<string, JsonObject & { changes: JsonObject[] }>()
  for (const { entryId, field, value, isTimed } of updates) {
    const key = `${entryId}:${isTimed === true}`
    const entry = entries.get(key) ?? {
      id: entryId,
      time: isTimed ? Math.floor(nowMs / 1_000) : undefined,
      changes: [],
    }
    entry.changes.push({ field, value })
    entries.set(key, entry)
  }
  return toAsciiJson({ object: 'whatsapp_business_account', entry: [...entries.values()] })
}

/** Joins adjacent updates of one number into one change, as the platform does under load. */
export function foldUpdates<T extends { update: Update }>(items: readonly T[]): T[] {
  const result: T[] = []
  for (const item of items) {
    const last = result.at(-1)
    if (last && canFold(last.update, item.update)) {
      result[result.length - 1] = { ...last, update: { ...last.update, value: joinValues(last.update, item.update) } }
    } else {
      result.push(item)
    }
  }
  return result
}

function canFold(a: Update, b: Update): boolean {
  const foldable = [a, b].every(({ field, value }) => field === 'messages' && (value.messages || value.statuses))
  return foldable && a.phoneId !== undefined && a.phoneId === b.phoneId
}

function joinValues(a: Update, b: Update): JsonObject {
  const lists = ['contacts', 'messages', 'statuses'].map((name) => {
    const list = [...asList(a.value[name]), ...asList(b.value[name])]
    return [name, list.length > 0 ? list : undefined] as const
  })
  return { ...asObject(a.value), ...Object.fromEntries(lists) }
}
