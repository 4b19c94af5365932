import type { Clock } from '../../kernel/clock.ts'
import type { Pool } from '../../kernel/db/pool.ts'
import { isObject } from '../../kernel/json/values.ts'
import type { NewEvent } from '../events/catalog.ts'
import type { WrittenMessage } from '../messages/inbound-updates/apply.ts'
import type { InboundUpdates, NewMessages } from '../messages/inbound-updates/service.ts'
import type { Publishing } from '../webhooks/publishing/service.ts'
import type { Callback, Item } from './callback.ts'
import { toChannelKey, toEvents, toMedia } from './change-rows.ts'
import type { KnownChannels } from './known-channels.ts'
import { toMessageUpdates } from './message-updates.ts'
import { findChangeTarget, type TargetChannel } from './routing.ts'
import * as store from './store.ts'

/** A callback with all that is written of it if all of it is new. */
type NewCallback = { callback: Callback; items: Item[]; messages: NewMessages; events: NewEvent[] }

type Dependencies = {
  sql: Pool
  now: Clock
  inboundUpdates: Pick<InboundUpdates, 'applyNew'>
  publishing: Pick<Publishing, 'publishWith'>
  knownChannels: KnownChannels
}

export type NewCallbacks = ReturnType<typeof createNewCallbacks>

/**
 * Takes callbacks of which everything may be new, in one statement: those with nothing but messages that were written, to or
 * from numbers that the process knows. The statement leaves out the others, and they take the way that reads first.
 */
export function createNewCallbacks({ sql, now, inboundUpdates, publishing, knownChannels }: Dependencies) {
  /** The numbers of a callback of messages that the process does not know. */
  function listUnknown({ changes }: Callback): string[] {
    if (!changes.every(isOfMessagesOnly)) return []
    return changes.flatMap((change) => {
      const target = findChangeTarget(change)
      return target && 'phoneNumberId' in target && !knownChannels.get(target.phoneNumberId)
        ? [target.phoneNumberId]
        : []
    })
  }

  function toItems({ changes }: Callback): Item[] | undefined {
    const items: Item[] = []
    for (const change of changes) {
      const target = isOfMessagesOnly(change) ? findChangeTarget(change) : null
      const channel = target && 'phoneNumberId' in target ? knownChannels.get(target.phoneNumberId) : undefined
      if (!channel) return undefined
      items.push({ change, channel })
    }
    const isRepeated = new Set(changes.map(({ fingerprint }) => fingerprint)).size < changes.length
    return items.length === 0 || isRepeated ? undefined : items
  }

  /** Two callbacks of one statement must not have the same row: the second one repeats it. */
  function pickDistinct(callbacks: readonly NewCallback[]): NewCallback[] {
    const keys = new Set<string>()
    return callbacks.filter((callback) => {
      const own = listKeys(callback)
      if (own.some((key) => keys.has(key))) return false
      for (const key of own) keys.add(key)
      return true
    })
  }

  return {
    /** Reads the channels of the numbers that the process does not know. */
    async learn(callbacks: Callback[]): Promise<undefined[]> {
      const phoneNumberIds = [...new Set(callbacks.flatMap(listUnknown))]
      if (phoneNumberIds.length > 0) {
        knownChannels.put(phoneNumberIds, await store.findChannels(sql, { phoneNumberIds, wabaIds: [] }))
      }
      return callbacks.map(() => undefined)
    },

    needsLearning: (callback: Callback) => listUnknown(callback).length > 0,

    /** Undefined if a callback has to be compared with what is stored. */
    prepare(callback: Callback): NewCallback | undefined {
      const items = callback.problem === null ? toItems(callback) : undefined
      if (!items) return undefined
      const at = now()
      const written = items.flatMap(({ change, channel }) =>
        toMessageUpdates(change.field, change.value, { channel, now: at }),
      )
      const messages = inboundUpdates.applyNew(written as WrittenMessage[])
      if (!messages) return undefined
      const events = [...messages.events, ...items.flatMap((item) => toEvents(item, new Map()))]
      return { callback, items, messages, events }
    },

    /** Joins no transaction. Returns for each callback whether it is stored; of the others nothing is. */
    async take(callbacks: NewCallback[]): Promise<boolean[]> {
      const distinct = pickDistinct(callbacks)
      const events = distinct.flatMap((callback) => callback.events)
      const newRows = toRows(distinct.map((callback, number) => ({ ...callback, number })))
      const [result] = await publishing.publishWith(sql, events, async (_, publication) => {
        const [row] = await store.takeCallbacks(sql, newRows, publication)
        if (!row) throw new Error('A function without a set returned no row')
        const isLeftOut = new Set(row.left_out)
        const leftOut = newRows.eventCallbacks.flatMap((number, place) => (isLeftOut.has(number) ? [place] : []))
        return [{ ...row, leftOut }]
      })
      const leftOut = new Set(result?.left_out)
      const taken = new Set(distinct.filter((_, number) => !leftOut.has(number)))
      return callbacks.map((callback) => taken.has(callback))
    },
  }
}

function isOfMessagesOnly({ field, value }: Item['change']): boolean {
  return (field === 'messages' || field === 'smb_message_echoes') && isObject(value) && value.statuses === undefined
}

function listKeys({ items, messages }: NewCallback): string[] {
  return [
    ...items.map(({ change }) => change.fingerprint),
    ...messages.rows.map(({ channel_id, upstream_message_id }) => `${channel_id} ${upstream_message_id}`),
  ]
}

function toRows(callbacks: readonly (NewCallback & { number: number })[]): store.NewRows {
  // A number that moved while callbacks waited has two channels here, of which the statement finds one: it leaves all out.
  const channels = new Set<TargetChannel>(callbacks.flatMap(({ items }) => items.map(({ channel }) => channel)))
  const collect = <Row extends object>(list: (callback: NewCallback) => readonly Row[]) =>
    callbacks.flatMap((one) => list(one).map((row) => ({ ...row, callback: one.number })))
  return {
    callbacks: collect(({ callback: { id, bytes }, items }) => [{ id, bytes, organizationId: findOwner(items) }]),
    channels: [...channels],
    changes: collect(({ items }) =>
      items.map(({ change: { fingerprint }, channel }) => ({ ...toChannelKey(channel), fingerprint })),
    ),
    messages: collect(({ messages }) => messages.rows),
    contacts: collect(({ messages }) => messages.contacts),
    media: collect(({ items }) => items.flatMap(toMedia)),
    eventCallbacks: callbacks.flatMap(({ number, events }) => events.map(() => number)),
  }
}

/** The organization whose channels all changes concern. */
function findOwner(items: readonly Item[]): string | null {
  const [owner = null, ...others] = new Set(items.map(({ channel }) => channel.organization_id))
  return others.length > 0 ? null : owner
}
