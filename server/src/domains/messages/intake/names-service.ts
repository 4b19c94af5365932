import type { Clock } from '../../../kernel/clock.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import { isUuid, newId } from '../../../kernel/ids.ts'
import type { Incoming } from './apply.ts'
import * as store from './store.ts'

/** The message that an update is about. A new one has no row yet; one that was unsettled is settled by the update. */
export type Name = {
  organizationId: string
  channelId: string
  messageId: string
  state: 'known' | 'new' | 'unsettled'
}

export function nameKey({ channelId, wamid }: { channelId: string; wamid: string }): string {
  return `${channelId} ${wamid}`
}

/**
 * Which message each update is about. Unsettled sends are locked before
 * anything else, as the one who records their outcome does; names that nobody
 * knew are entered, so that of two transactions that meet the same message one
 * waits and then finds it known.
 */
export async function resolveNames(tx: Tx, incoming: Incoming[], now: Clock): Promise<Map<string, Name>> {
  const asked = new Map(incoming.map((update) => [nameKey(update), update]))
  const unsettled = await lockUnsettled(tx, incoming)
  const names = await find(tx, asked)
  const missing = [...asked].filter(([key]) => !names.has(key))
  if (missing.length === 0) return names

  const entered = missing.map(([key, { organizationId, channelId, wamid }]) => {
    const messageId = unsettled.get(key)
    const state = messageId === undefined ? ('new' as const) : ('unsettled' as const)
    return { organizationId, channelId, wamid, messageId: messageId ?? newId(now()), state }
  })
  const isEntered = new Set(
    (await store.insertWamids(tx, entered)).map((row) => nameKey({ channelId: row.channel_id, wamid: row.wamid })),
  )
  for (const name of entered) if (isEntered.has(nameKey(name))) names.set(nameKey(name), name)
  const raced = new Map(missing.filter(([key]) => !isEntered.has(key)))
  for (const [key, name] of raced.size === 0 ? [] : await find(tx, raced)) names.set(key, name)
  return names
}

async function find(tx: Tx, asked: Map<string, Incoming>): Promise<Map<string, Name>> {
  const names = new Map<string, Name>()
  for (const row of await store.findWamids(tx, [...asked.values()])) {
    const { organization_id: organizationId, channel_id: channelId, wamid, message_id: messageId } = row
    names.set(nameKey({ channelId, wamid }), { organizationId, channelId, messageId, state: 'known' })
  }
  return names
}

/** The unsettled sends that statuses tell of, by the key of the name that the upstream gives them. */
async function lockUnsettled(tx: Tx, incoming: Incoming[]): Promise<Map<string, string>> {
  const telling = incoming.flatMap((update) => {
    if (update.kind !== 'status' || update.opaque === null) return []
    const { organizationId, channelId, opaque } = update
    const messageId = isUuid(opaque) ? opaque.toLowerCase() : null
    return [{ key: nameKey(update), organizationId, channelId, opaque, messageId }]
  })
  if (telling.length === 0) return new Map()
  const ids = new Map<string, string>()
  for (const row of await store.lockUnsettled(tx, telling)) {
    ids.set(`${row.channel_id} ${row.opaque ?? row.message_id}`, row.message_id)
  }
  const found = new Map<string, string>()
  for (const { key, channelId, opaque, messageId } of telling) {
    const id = ids.get(`${channelId} ${opaque}`) ?? ids.get(`${channelId} ${messageId}`)
    if (id !== undefined) found.set(key, id)
  }
  return found
}
