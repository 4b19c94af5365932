import type { Tx } from '../../../kernel/db/pool.ts'
import type { JsonObject } from '../../../kernel/json/values.ts'
import type { NewEvent } from '../../events/catalog.ts'
import { toWamidKey } from './message-lookup.ts'
import * as store from './store.ts'

/** A status of the payment that a message asked for. It changes no message, and makes no placeholder. */
export type PaymentUpdate = {
  organizationId: string
  channelId: string
  /** The upstream's id of the message. */
  wamid: string
  /** The upstream's time. */
  at: string
  status: string
  payment: JsonObject | null
}

/** The events of payments, and the upstream's ids of messages whose person was erased: their payments are not passed on. */
export async function toPaymentEvents(
  tx: Tx,
  payments: PaymentUpdate[],
): Promise<{ events: NewEvent[]; erased: Set<string> }> {
  if (payments.length === 0) return { events: [], erased: new Set() }
  const known = new Map(
    (await store.findWamids(tx, payments)).map(({ channel_id: channelId, wamid, message_id }) => {
      return [toWamidKey({ channelId, wamid }), message_id]
    }),
  )
  const erased = new Set(await store.listErasedWamids(tx, payments))
  const events = payments.map((update): NewEvent => {
    const { organizationId, channelId, wamid, at, status, payment } = update
    const data = {
      message_id: known.get(toWamidKey(update)) ?? null,
      upstream_message_id: wamid,
      status,
      payment: erased.has(wamid) ? null : payment,
    }
    return { organizationId, channelId, kind: 'payment.status', occurredAt: at, data }
  })
  return { events, erased }
}
