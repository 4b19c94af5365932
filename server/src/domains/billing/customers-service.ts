import type { Pool } from '../../kernel/db/pool.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Payments } from '../../payments/payments.ts'
import { answerOf } from './payment-error.ts'
import { providerKey } from './requests-service.ts'
import * as store from './store.ts'

export type Customers = ReturnType<typeof createCustomers>

/** Organizations as the provider knows them. The name is kept before anything is bought under it. */
export function createCustomers({ sql }: { sql: Pool }) {
  return {
    async ensure(payments: Payments, organizationId: string): Promise<string> {
      const known = await store.findSubscription(sql, organizationId)
      if (known?.customer_id) return known.customer_id
      const name = await store.findOrganizationName(sql, organizationId)
      if (name === undefined) throw notFound('Organization')
      // Two that come here at once make one customer.
      const key = providerKey({ organizationId, route: 'customer', key: String(known?.generation ?? 0) })
      const { id } = answerOf(await payments.createCustomer({ organizationId, name }, key))
      return store.insertCustomer(sql, { organizationId, customerId: id })
    },

    /** For one that the provider has lost or deleted: the next to buy is a new one. */
    async forget(organizationId: string, customerId: string): Promise<void> {
      await store.forgetCustomer(sql, { organizationId, customerId })
    },
  }
}
