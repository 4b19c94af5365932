import type { Clock } from '../../../kernel/clock.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { isUuid, newId } from '../../../kernel/ids.ts'
import type { InboundUpdate, Row } from './apply.ts'
import * as store from './store.ts'

const COMPARED_DIGITS = 8

/** The message that an update is about. A `new` one has no row yet; the update settles an `unsettled` one. */
type MessageRef = {
  organizationId: string
  channelId: string
  messageId: string
  state: 'known' | 'new' | 'unsettled'
}

export function toWamidKey({ channelId, wamid }: { channelId: string; wamid: string }): string {
  return `${channelId} ${wamid}`
}

/**
 * The unsettled sends that statuses may be of, which are locked, and the messages that have the upstream's ids of statuses. `locked`
 * are their rows, if all are known and there is nothing but statuses.
 */
export type LookedUp = {
  unsettled: Awaited<ReturnType<typeof store.lockUnsettled>>
  known: Map<string, MessageRef>
  locked: Row[] | undefined
}

/**
 * Unsettled sends are locked before anything else, as in the settlement of a send, so the two cannot deadlock. The messages are
 * looked up after that, but both statements are sent at once.
 */
export async function lookUpStatuses(tx: Tx, incoming: InboundUpdate[]): Promise<LookedUp> {
  const updates = [...pickOnePerMessage(incoming)]
  const statuses = updates.filter(([, { kind }]) => kind === 'status')
  const identified = listIdentified(incoming)
  const [unsettled, { known, locked }] = await Promise.all([
    identified.length === 0 ? [] : store.lockUnsettled(tx.reading, identified),
    lookUpKnown(tx.reading, new Map(statuses), { isAlone: statuses.length === updates.length }),
  ])
  return { unsettled, known, locked }
}

async function lookUpKnown(sql: Sql, statuses: Map<string, InboundUpdate>, { isAlone }: { isAlone: boolean }) {
  if (!isAlone || statuses.size === 0) return { known: await findKnown(sql, statuses), locked: undefined }
  const { known, locked } = await store.lockReportedMessages(sql, [...statuses.values()])
  return { known: toRefs(known), locked }
}

/**
 * Finds the message of each update. Unknown upstream ids are inserted; a concurrent transaction with the same id waits for this
 * one, and then finds the message. The id of a message that was written is usually new, so it is not looked up first.
 */
export async function resolveMessages(
  tx: Tx,
  incoming: InboundUpdate[],
  { lookedUp, now }: { lookedUp: LookedUp; now: Clock },
): Promise<Map<string, MessageRef>> {
  const updates = pickOnePerMessage(incoming)
  const claimUnsettled = assignUnsettled(lookedUp.unsettled)
  const found = new Map([...lookedUp.known].filter(([key]) => updates.get(key)?.kind === 'status'))
  const missing = [...updates].filter(([key]) => !found.has(key))
  if (missing.length === 0) return found

  const candidates = missing.map(([, update]) => {
    const { organizationId, channelId, wamid } = update
    const messageId = claimUnsettled(update)
    const state = messageId === undefined ? ('new' as const) : ('unsettled' as const)
    return { organizationId, channelId, wamid, messageId: messageId ?? newId(now()), state }
  })
  const inserted = new Set(
    (await store.insertWamids(tx, candidates)).map((row) =>
      toWamidKey({ channelId: row.channel_id, wamid: row.wamid }),
    ),
  )
  for (const candidate of candidates) {
    const key = toWamidKey(candidate)
    if (inserted.has(key)) found.set(key, candidate)
  }
  const raced = new Map(missing.filter(([key]) => !inserted.has(key)))
  for (const [key, message] of await findKnown(tx, raced)) found.set(key, message)
  return found
}

/** Chooses the update of a message that has callback data: it may identify an unsettled send. */
function pickOnePerMessage(incoming: InboundUpdate[]): Map<string, InboundUpdate> {
  const picked = new Map<string, InboundUpdate>()
  for (const update of incoming) {
    const key = toWamidKey(update)
    const other = picked.get(key)
    if (!other || readCallbackData(other) === null) picked.set(key, update)
  }
  return picked
}

async function findKnown(sql: Sql, updates: Map<string, InboundUpdate>): Promise<Map<string, MessageRef>> {
  return updates.size === 0 ? new Map() : toRefs(await store.findWamids(sql, [...updates.values()]))
}

function toRefs(known: Awaited<ReturnType<typeof store.findWamids>>): Map<string, MessageRef> {
  const found = new Map<string, MessageRef>()
  for (const { organization_id: organizationId, channel_id: channelId, wamid, message_id: messageId } of known) {
    found.set(toWamidKey({ channelId, wamid }), { organizationId, channelId, messageId, state: 'known' })
  }
  return found
}

/** The statuses that name a send. */
function listIdentified(incoming: InboundUpdate[]) {
  return incoming.flatMap((update) => {
    const { organizationId, channelId } = update
    const callbackData = readCallbackData(update)
    if (callbackData === null) return []
    return [
      { organizationId, channelId, callbackData, messageId: isUuid(callbackData) ? callbackData.toLowerCase() : null },
    ]
  })
}

/** The returned function gives each unsettled send to at most one update. */
function assignUnsettled(unsettled: LookedUp['unsettled']): (update: InboundUpdate) => string | undefined {
  if (unsettled.length === 0) return () => undefined
  const open = Map.groupBy(unsettled, (row) => `${row.channel_id} ${row.callback_data ?? row.message_id}`)
  return (update) => {
    const callbackData = readCallbackData(update)
    if (callbackData === null) return undefined
    const matches = [callbackData, callbackData.toLowerCase()].map(
      (name) => open.get(`${update.channelId} ${name}`) ?? [],
    )
    const rows = matches.find((list) => list.length > 0) ?? []
    const at = rows.length === 1 ? 0 : rows.findIndex((row) => isSameNumber(row.recipient, update.to))
    return at < 0 ? undefined : rows.splice(at, 1)[0]?.message_id
  }
}

function readCallbackData(update: InboundUpdate): string | null {
  return update.kind === 'status' ? update.callbackData : null
}

/**
 * Several sends may have the same callback data; the recipient distinguishes them. The upstream may add or drop a digit
 * of a number, but not among the last ones.
 */
function isSameNumber(one: string | null, other: string | null): boolean {
  return one?.slice(-COMPARED_DIGITS) === other?.slice(-COMPARED_DIGITS)
}
