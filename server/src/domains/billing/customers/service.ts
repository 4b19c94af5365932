import type { Pool } from '../../../kernel/db/pool.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Result } from '../../../payments/errors.ts'
import type { Payments } from '../../../payments/payments.ts'
import { providerKey } from '../idempotency/service.ts'
import { answerOf } from '../provider/payment-result.ts'
import * as store from '../quotas/store.ts'

export type Customers = ReturnType<typeof createCustomers>

/** Organizations as the provider knows them. The name is kept before anything is bought under it. */
export function createCustomers({ sql }: { sql: Pool }) {
  async function ensure(payments: Payments, organizationId: string): Promise<string> {
    const known = await store.findSubscription(sql, organizationId)
    if (known?.customer_id) return known.customer_id
    const name = await store.findOrganizationName(sql, organizationId)
    if (name === undefined) throw notFound('Organization')
    // Two that come here at once make one customer.
    const key = providerKey({ organizationId, route: 'customer', key: String(known?.generation ?? 0) })
    const { id } = answerOf(await payments.createCustomer({ organizationId, name }, key))
    return store.insertCustomer(sql, { organizationId, customerId: id })
  }

  return {
    ensure,

    /** Asks the provider for something of the customer's. One that was deleted there is followed by a new one. */
    async ask<T>(
      payments: Payments,
      organizationId: string,
      question: (customerId: string) => Promise<Result<T>>,
    ): Promise<Result<T>> {
      const customerId = await ensure(payments, organizationId)
      const answer = await question(customerId)
      if (answer.ok || answer.failure.kind !== 'gone') return answer
      await store.forgetCustomer(sql, { organizationId, customerId })
      return question(await ensure(payments, organizationId))
    },
  }
}
