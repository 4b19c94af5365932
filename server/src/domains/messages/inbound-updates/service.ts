import type { Clock } from '../../../kernel/clock.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/ids.ts'
import { buildUsageInsert } from '../../billing/usage/service.ts'
import type { PricedMessage } from '../../costs/volumes/priced-message.ts'
import { buildVolumeInsert } from '../../costs/volumes/service.ts'
import type { NewEvent } from '../../events/catalog.ts'
import type { CountedMessage } from '../../statistics/counts/message-count.ts'
import { buildMessageCountInsert } from '../../statistics/counts/service.ts'
import type { Publishing } from '../../webhooks/publishing/service.ts'
import { type ContactDetails, mergeContactDetails } from '../contacts/identify.ts'
import { apply, type InboundUpdate, isOfErased, type Row, type WrittenMessage } from './apply.ts'
import { countUpdate, priceUpdate } from './counts.ts'
import { type LookedUp, lookUpStatuses, resolveMessages, toWamidKey } from './message-lookup.ts'
import { type PaymentUpdate, toPaymentEvents } from './payments.ts'
import * as store from './store.ts'

/** For the statement that takes callbacks. */
export const { buildReceivedMessages, buildReceivedContacts } = store

const OTHER_WRITES = { buildUsageInsert, buildMessageCountInsert, buildVolumeInsert }

export type { LookedUp } from './message-lookup.ts'

type Incoming = { incoming: InboundUpdate[]; payments: PaymentUpdate[]; lookedUp: LookedUp }

type PreparedUpdates = {
  /** The upstream's ids of messages whose person was erased. */
  erased: ReadonlySet<string>
  /** Writes the rows, and publishes the events of the updates together with others. */
  write: (otherEvents: NewEvent[]) => Promise<unknown>
}

/** The rows, events and contacts of messages that the log does not have yet. */
export type NewMessages = { rows: Row[]; events: NewEvent[]; contacts: ContactDetails[] }

export type InboundUpdates = ReturnType<typeof createInboundUpdates>

/** Applies inbound messages and status callbacks to the message log, a whole callback in a few statements. */
export function createInboundUpdates({ now, publishing }: { now: Clock; publishing: Publishing }) {
  return {
    /** Reads what statuses need before it is known which of them were received earlier. Its statements are sent at once. */
    lookUp: (tx: Tx, incoming: InboundUpdate[]): Promise<LookedUp> => lookUpStatuses(tx, incoming),

    /** Joins the caller's transaction: locks the messages, and returns what writes them. */
    async prepareUpdates(tx: Tx, { incoming, payments, lookedUp }: Incoming): Promise<PreparedUpdates> {
      if (incoming.length === 0) {
        const paid = await toPaymentEvents(tx, payments)
        const write = (otherEvents: NewEvent[]) => publishing.publish(tx, [...paid.events, ...otherEvents])
        return { erased: paid.erased, write }
      }
      const messages = await resolveMessages(tx, incoming, { lookedUp, now })
      // A payment may be of a message in the same callback, whose id is stored by now.
      const paid = await toPaymentEvents(tx, payments)
      const { erased } = paid
      const existing = [...messages.values()].filter(({ state }) => state !== 'new')
      const settled = existing.filter(({ state }) => state === 'unsettled')
      if (settled.length > 0) await store.logUnderWay(tx, settled)
      const known = lookedUp.locked ?? (existing.length === 0 ? [] : await store.lockMessages(tx, existing))
      const changes = createChangeSet(known)
      const counted: CountedMessage[] = []
      const contacts: ContactDetails[] = []
      const priced: PricedMessage[] = []

      const events = incoming.flatMap((update) => {
        const message = messages.get(toWamidKey(update))
        const before = message && changes.get(message.messageId)
        // Retention has dropped the row of a known message.
        if (!message || (!before && message.state !== 'new')) return []
        if (before && isOfErased(before, update)) erased.add(update.wamid)
        const step = apply(before, update, message.messageId)
        if (!step) return []
        changes.put(step.row, step.isFilled)
        counted.push(countUpdate(before, step))
        contacts.push(...step.contacts)
        priced.push(...priceUpdate(before, update, step))
        return step.events
      })

      // The statements are sent at once: none needs the result of another.
      const write = (otherEvents: NewEvent[]) =>
        Promise.all([
          settled.length > 0 && store.deleteUnsettled(tx, settled),
          changes.write(tx),
          publishing.publishWith(tx, [...events, ...paid.events, ...otherEvents], (sql, publication) =>
            store.insertCounts(
              sql,
              { counted, priced, contacts: mergeContactDetails(contacts) },
              publication,
              OTHER_WRITES,
            ),
          ),
        ])
      return { erased, write }
    },

    /** Applies messages as if all were new. Undefined if one of them repeats another. */
    applyNew(written: WrittenMessage[]): NewMessages | undefined {
      if (new Set(written.map(toWamidKey)).size < written.length) return undefined
      const steps = written.flatMap((update) => apply(undefined, update, newId(now())) ?? [])
      return {
        rows: steps.map(({ row }) => row),
        events: steps.flatMap(({ events }) => events),
        contacts: mergeContactDetails(steps.flatMap(({ contacts }) => contacts)),
      }
    },

    /** Selects the upstream's ids in repeated updates of messages whose person was erased. */
    async listErased(tx: Tx, repeated: (InboundUpdate | PaymentUpdate)[]): Promise<string[]> {
      return repeated.length === 0 ? [] : store.listErasedWamids(tx, repeated)
    },
  }
}

/** The rows of one transaction, and which of them it must write. */
function createChangeSet(known: Row[]) {
  const rows = new Map(known.map((row) => [row.id, row]))
  const found = new Set(rows.keys())
  const changed = new Set<string>()
  const filled = new Set<string>()

  return {
    get: (id: string) => rows.get(id),

    put(row: Row, isFilled: boolean): void {
      rows.set(row.id, row)
      changed.add(row.id)
      if (isFilled) filled.add(row.id)
    },

    async write(tx: Tx): Promise<unknown> {
      const inserted = [...changed].filter((id) => !found.has(id))
      const updated = [...changed].filter((id) => found.has(id))
      const pick = (ids: string[]) => ids.flatMap((id) => rows.get(id) ?? [])
      const completed = updated.filter((id) => filled.has(id))
      return Promise.all([
        inserted.length > 0 && store.insertMessages(tx, pick(inserted)),
        updated.length > 0 && store.updateProgress(tx, pick(updated)),
        completed.length > 0 && store.updateContent(tx, pick(completed)),
      ])
    },
  }
}
