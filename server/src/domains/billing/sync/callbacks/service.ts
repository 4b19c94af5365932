import type { Pool } from '../../../../kernel/db/pool.ts'
import { AppError, notFound } from '../../../../kernel/errors.ts'
import type { Logger } from '../../../../kernel/logger.ts'
import type { Payments } from '../../../../payments/payments.ts'
import type { Customers } from '../../customers/service.ts'
import type { Sync } from '../service.ts'
import * as store from './store.ts'

const BATCH_SIZE = 200
const RETRY_AFTER_SECONDS = 30
const RETENTION_DAYS = 90
const DELETION_BATCH_SIZE = 5000

type Dependencies = {
  sql: Pool
  payments: Payments | undefined
  customers: Customers
  sync: Sync
  logger: Logger
  isHeld: () => boolean
}

export type PaymentCallbacks = ReturnType<typeof createPaymentCallbacks>

/**
 * Callbacks of the payment provider. A callback only says which customer to fetch: callbacks arrive twice, late and in
 * any order, so nothing in their bodies is trusted.
 */
export function createPaymentCallbacks({ sql, payments, customers, sync, logger, isHeld }: Dependencies) {
  /** One fetch handles all events of a customer. Events whose fetch failed stay open and are retried. */
  async function handleEvents(ids: readonly string[], customerId: string | null): Promise<void> {
    try {
      const organizationId = customerId === null ? undefined : await customers.findOrganization(customerId)
      if (organizationId !== undefined) await sync.refresh(organizationId)
      await store.markHandled(sql, ids)
    } catch (err) {
      logger.warn({ err, events: ids }, 'payment events could not be handled yet')
    }
  }

  return {
    /** Returns once the event is stored. If the provider does not respond, or on hold, `retryOpen` handles the event later. */
    async receive(bytes: Buffer, signature: string | string[] | undefined): Promise<void> {
      if (!payments) throw notFound('payment_callback_not_found')
      const event = typeof signature === 'string' ? payments.constructEvent(bytes, signature) : undefined
      if (!event) throw new AppError('UNAUTHORIZED', 'payment_callback_not_signed')
      const isNew = await store.insertEvent(sql, event)
      if (isNew && !isHeld()) await handleEvents([event.id], event.customerId)
    },

    async retryOpen(): Promise<void> {
      if (!payments) return
      const open = await store.listOpenEvents(sql, { olderSeconds: RETRY_AFTER_SECONDS, limit: BATCH_SIZE })
      for (const [customerId, events] of Map.groupBy(open, ({ customer_id }) => customer_id)) {
        await handleEvents(
          events.map(({ id }) => id),
          customerId,
        )
      }
    },

    async deleteOld(): Promise<void> {
      const batch = { days: RETENTION_DAYS, limit: DELETION_BATCH_SIZE }
      while ((await store.deleteOldEvents(sql, batch)) === DELETION_BATCH_SIZE);
    },
  }
}
