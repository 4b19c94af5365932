import type { Pool } from '../../../../kernel/db/pool.ts'
import { AppError, notFound } from '../../../../kernel/errors.ts'
import type { Logger } from '../../../../kernel/logger.ts'
import type { Payments } from '../../../../payments/payments.ts'
import * as store from '../../quotas/store.ts'
import type { Sync } from '../service.ts'
import * as events from './store.ts'

const BATCH = 200
const RETRY_AFTER_SECONDS = 30
const KEPT_DAYS = 90
const FORGET_BATCH = 5000

type Dependencies = { sql: Pool; payments: Payments | undefined; sync: Sync; logger: Logger }

export type PaymentCallbacks = ReturnType<typeof createPaymentCallbacks>

/**
 * What the provider calls to say that something happened. It is only ever taken
 * for a hint at whom to ask about: callbacks come twice, late and in any order.
 */
export function createPaymentCallbacks({ sql, payments, sync, logger }: Dependencies) {
  async function handle(customerId: string | null): Promise<void> {
    const organizationId = customerId === null ? undefined : await store.findOrganizationOf(sql, customerId)
    if (organizationId !== undefined) await sync.sync(organizationId)
  }

  /** Events of one customer have one effect. Those that fail stay open, for the next time. */
  async function handleAll(ids: readonly string[], customerId: string | null): Promise<void> {
    try {
      await handle(customerId)
      await events.markHandled(sql, ids)
    } catch (err) {
      logger.warn({ err, events: ids }, 'a payment event could not be handled yet')
    }
  }

  return {
    /** An event that is answered with 200 is kept, and has its effect now or when the provider can be asked again. */
    async receive(bytes: Buffer, signature: string | string[] | undefined): Promise<void> {
      if (!payments) throw notFound('Page')
      const callback = typeof signature === 'string' ? payments.readCallback(bytes, signature) : undefined
      if (!callback) throw new AppError('UNAUTHORIZED', "The callback is not signed with this endpoint's secret.")
      if (await events.insertEvent(sql, callback)) await handleAll([callback.id], callback.customerId)
    },

    async handleOpen(): Promise<void> {
      if (!payments) return
      const open = await events.listOpenEvents(sql, { olderSeconds: RETRY_AFTER_SECONDS, limit: BATCH })
      for (const [customerId, group] of Map.groupBy(open, ({ customer_id }) => customer_id)) {
        await handleAll(
          group.map(({ id }) => id),
          customerId,
        )
      }
    },

    async forgetOld(): Promise<void> {
      while ((await events.deleteOldEvents(sql, { days: KEPT_DAYS, limit: FORGET_BATCH })) === FORGET_BATCH);
    },
  }
}
