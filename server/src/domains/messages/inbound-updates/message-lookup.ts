import type { Clock } from '../../../kernel/clock.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import { isUuid, newId } from '../../../kernel/ids.ts'
import type { Incoming } from './apply.ts'
import * as store from './store.ts'

const PERSON_DIGITS = 8

/** The message that an update is about. A new one has no row yet; one that was unsettled is settled by the update. */
export type MessageRef = {
  organizationId: string
  channelId: string
  messageId: string
  state: 'known' | 'new' | 'unsettled'
}

export function toWamidKey({ channelId, wamid }: { channelId: string; wamid: string }): string {
  return `${channelId} ${wamid}`
}

/**
 * Which message each update is about. Unsettled sends are locked before
 * anything else, as the one who records their outcome does; names that nobody
 * knew are entered, so that of two transactions that meet the same message one
 * waits and then finds it known.
 */
export async function resolveMessages(tx: Tx, incoming: Incoming[], now: Clock): Promise<Map<string, MessageRef>> {
  const asked = new Map(incoming.map((update) => [toWamidKey(update), update]))
  const claimUnsettled = await lockUnsettled(tx, incoming)
  const names = await find(tx, asked)
  const missing = [...asked].filter(([key]) => !names.has(key))
  if (missing.length === 0) return names

  const entered = missing.map(([, update]) => {
    const { organizationId, channelId, wamid } = update
    const messageId = claimUnsettled(update)
    const state = messageId === undefined ? ('new' as const) : ('unsettled' as const)
    return { organizationId, channelId, wamid, messageId: messageId ?? newId(now()), state }
  })
  const isEntered = new Set(
    (await store.insertWamids(tx, entered)).map((row) => toWamidKey({ channelId: row.channel_id, wamid: row.wamid })),
  )
  for (const name of entered) if (isEntered.has(toWamidKey(name))) names.set(toWamidKey(name), name)
  const raced = new Map(missing.filter(([key]) => !isEntered.has(key)))
  for (const [key, name] of raced.size === 0 ? [] : await find(tx, raced)) names.set(key, name)
  return names
}

async function find(tx: Tx, asked: Map<string, Incoming>): Promise<Map<string, MessageRef>> {
  const names = new Map<string, MessageRef>()
  for (const row of await store.findWamids(tx, [...asked.values()])) {
    const { organization_id: organizationId, channel_id: channelId, wamid, message_id: messageId } = row
    names.set(toWamidKey({ channelId, wamid }), { organizationId, channelId, messageId, state: 'known' })
  }
  return names
}

/** Locks the unsettled sends that statuses may tell of. What it returns gives each of them to one update at most. */
async function lockUnsettled(tx: Tx, incoming: Incoming[]): Promise<(update: Incoming) => string | undefined> {
  const telling = incoming.flatMap((update) => {
    const { organizationId, channelId } = update
    const opaque = opaqueOf(update)
    if (opaque === null) return []
    return [{ organizationId, channelId, opaque, messageId: isUuid(opaque) ? opaque.toLowerCase() : null }]
  })
  if (telling.length === 0) return () => undefined
  const open = Map.groupBy(await store.lockUnsettled(tx, telling), (row) => {
    return `${row.channel_id} ${row.opaque ?? row.message_id}`
  })
  return (update) => {
    const opaque = opaqueOf(update)
    if (opaque === null) return undefined
    const named = [opaque, opaque.toLowerCase()].map((name) => open.get(`${update.channelId} ${name}`) ?? [])
    const rows = named.find((list) => list.length > 0) ?? []
    const at = rows.length === 1 ? 0 : rows.findIndex((row) => isSamePerson(row.recipient, update.to))
    return at < 0 ? undefined : rows.splice(at, 1)[0]?.message_id
  }
}

function opaqueOf(update: Incoming): string | null {
  return update.kind === 'status' ? update.opaque : null
}

/**
 * A caller may give many sends one text; then the recipient tells them apart.
 * The upstream may write a number with a digit more or less than it was given,
 * but not at its end.
 */
function isSamePerson(one: string | null, other: string | null): boolean {
  return one?.slice(-PERSON_DIGITS) === other?.slice(-PERSON_DIGITS)
}
