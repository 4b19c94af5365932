import type { Clock } from '../../kernel/clock.ts'
import { createBatches } from '../../kernel/db/batches.ts'
import type { Pool, Tx } from '../../kernel/db/pool.ts'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { Connections } from '../channels/connection/service.ts'
import type { Word } from '../channels/words.ts'
import type { NewEvent } from '../events/catalogue.ts'
import type { Media } from '../media/service.ts'
import type { InboundUpdates } from '../messages/inbound-updates/service.ts'
import type { Publish } from '../webhooks/publishing/service.ts'
import { changeEvent } from './change-events.ts'
import { type Change, readEnvelope } from './envelope.ts'
import { mediaIn } from './media-ids.ts'
import { messageUpdates } from './message-updates.ts'
import { addressOf, directoryOf, type Holder, holdersAt } from './routing.ts'
import { isSameText, isSigned } from './signature.ts'
import * as store from './store.ts'
import { heldUntil, nameOf, verdictOf } from './verdicts.ts'

const BATCHES_AT_ONCE = 3
/** One callback of the upstream holds 1,000 updates at most. */
const CHANGES_PER_BATCH = 1000
const BYTES_PER_WEIGHT = 4096
const REPEATED_DAYS = 10
const FORGET_BATCH = 5000

type Dependencies = {
  sql: Pool
  now: Clock
  logger: Logger
  app: { appSecret: string; verifyToken: string }
  inboundUpdates: InboundUpdates
  media: Media
  connections: Connections
  publish: Publish
}

type Callback = { id: string; bytes: Buffer; changes: Change[]; problem: string | null }
/** A change and one channel that it concerns. */
type Item = { change: Change; holder: Holder }

export type Inbound = ReturnType<typeof createInbound>

/**
 * Takes the upstream's callbacks in. What is answered with 200 is committed:
 * the bytes as they came, the log, the statuses of channels, the events and
 * whatever follows from them. Callbacks that arrive together share a
 * transaction; one that the database refuses fails alone.
 */
export function createInbound({ sql, now, logger, app, inboundUpdates, media, connections, publish }: Dependencies) {
  const commit = createBatches<Callback, undefined>({
    run: commitAll,
    runsMax: BATCHES_AT_ONCE,
    weightMax: CHANGES_PER_BATCH,
    weightOf: ({ changes, bytes }) => 1 + changes.length + bytes.length / BYTES_PER_WEIGHT,
  })

  async function commitAll(callbacks: Callback[]): Promise<undefined[]> {
    await sql.begin(async (tx) => {
      await store.insertCallbacks(tx, callbacks)
      const items = await freshItems(
        tx,
        callbacks.flatMap(({ changes }) => changes),
      )
      if (items.length > 0) await takeIn(tx, items)
    })
    return callbacks.map(() => undefined)
  }

  async function takeIn(tx: Tx, items: Item[]): Promise<void> {
    const at = now()
    const updates = items.flatMap(({ change, holder }) =>
      messageUpdates(change.field, change.value, { holder, now: at }),
    )
    const told = await inboundUpdates.applyUpdates(tx, updates)
    await media.register(
      tx,
      items.flatMap(({ change, holder }) =>
        mediaIn(change.field, change.value).map((seen) => ({ ...seen, ...placeOf(holder) })),
      ),
    )
    await connections.hear(
      tx,
      items.flatMap((item) => wordsOf(item, at)),
    )
    await publish(tx, [...told, ...items.flatMap(eventsOf)])
  }

  return {
    /** The upstream's question whether this address is ours: the challenge, where the token is right. */
    answerChallenge({ mode, token, challenge }: { mode?: string; token?: string; challenge?: string }): string {
      if (mode !== 'subscribe' || challenge === undefined || !isSameText(token ?? '', app.verifyToken)) {
        throw new AppError('UNAUTHORIZED', 'The verify token is not the one of this hub.')
      }
      return challenge
    },

    async receive(bytes: Buffer, signature: string | string[] | undefined): Promise<void> {
      if (!isSigned(bytes, signature, app.appSecret)) {
        throw new AppError('UNAUTHORIZED', "The callback is not signed with this app's secret.")
      }
      const read = readEnvelope(bytes)
      const problem = 'problem' in read ? read.problem : null
      const callback = { id: newId(now()), bytes, problem, changes: 'problem' in read ? [] : read.changes }
      if (problem !== null) logger.warn({ callback_id: callback.id, problem }, 'a callback could not be read')
      if (callback.changes.some(({ isCut }) => isCut)) {
        logger.warn({ callback_id: callback.id }, 'what a callback had nested too deep is in its raw event alone')
      }
      try {
        await commit(callback)
      } catch (err) {
        // The upstream asks again for days. Anything but a refusal would tell it that the callback is safe.
        logger.error({ err, callback_id: callback.id }, 'a callback could not be stored')
        throw new AppError('NOT_READY', 'The callback could not be stored. Send it again.', { cause: err })
      }
    },

    async forgetSeen(): Promise<void> {
      while ((await store.forgetSeen(sql, { days: REPEATED_DAYS, limit: FORGET_BATCH })) === FORGET_BATCH);
    },
  }
}

/** The changes with the channels they concern, without those that a channel had already. */
async function freshItems(tx: Tx, changes: Change[]): Promise<Item[]> {
  const addresses = changes.map(addressOf)
  const phoneNumberIds = addresses.flatMap((address) =>
    address && 'phoneNumberId' in address ? [address.phoneNumberId] : [],
  )
  const wabaIds = addresses.flatMap((address) => (address && 'wabaId' in address ? [address.wabaId] : []))
  if (phoneNumberIds.length + wabaIds.length === 0) return []
  const names = { phoneNumberIds: [...new Set(phoneNumberIds)], wabaIds: [...new Set(wabaIds)] }
  const directory = directoryOf(await store.listHolders(tx, names))
  const items = new Map<string, Item>()
  for (const [i, change] of changes.entries()) {
    for (const holder of holdersAt(addresses[i] ?? null, directory)) {
      if (isFor(holder, change)) items.set(`${holder.channel_id} ${change.fingerprint}`, { change, holder })
    }
  }
  if (items.size === 0) return []
  const seen = [...items.values()].map(({ change, holder }) => ({
    ...placeOf(holder),
    fingerprint: change.fingerprint,
  }))
  const fresh = new Set((await store.insertSeen(tx, seen)).map((row) => `${row.channel_id} ${row.fingerprint}`))
  return [...items].filter(([key]) => fresh.has(key)).map(([, item]) => item)
}

/** A disconnected channel gets what is about its own number, and every word on its status: the latest may bring it back. */
function isFor(holder: Holder, change: Change): boolean {
  if (holder.is_connected) return true
  const address = addressOf(change)
  const isOfNumber = address !== null && ('phoneNumberId' in address || address.digits !== null)
  return isOfNumber || verdictOf(change.field, change.value) !== null
}

function placeOf(holder: Holder) {
  return { organizationId: holder.organization_id, channelId: holder.channel_id }
}

function wordsOf({ change, holder }: Item, now: Date): Word[] {
  const { field, value } = change
  const said = { ...placeOf(holder), saidAt: change.entryTime ?? Math.floor(now.getTime() / 1000) }
  const verifiedName = nameOf(field, value)
  if (verifiedName !== null) return [{ ...said, about: 'name', verifiedName }]
  const verdict = verdictOf(field, value)
  if (verdict === null) return []
  if (field === 'phone_number_quality_update') return [{ ...said, about: 'number', verdict }]
  return [{ ...said, about: 'account', verdict, heldUntil: heldUntil(value) }]
}

function eventsOf({ change, holder }: Item): NewEvent[] {
  const occurredAt = change.entryTime === null ? null : new Date(change.entryTime * 1000).toISOString()
  const event = change.value === undefined ? undefined : changeEvent(change.field, change.value, holder)
  const raw = { ...placeOf(holder), kind: 'upstream.raw' as const, occurredAt, raw: change.raw }
  return event ? [{ ...placeOf(holder), ...event, occurredAt }, raw] : [raw]
}
