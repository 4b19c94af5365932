import type { Pool } from '../../../kernel/db/pool.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { PaymentResult } from '../../../payments/errors.ts'
import type { Payments } from '../../../payments/payments.ts'
import { buildProviderKey } from '../idempotency/service.ts'
import { unwrapPayment } from '../provider/payment-result.ts'
import * as store from './store.ts'

export type Customers = ReturnType<typeof createCustomers>

/** The provider's customer of each organization. Its id is stored before the organization can buy anything. */
export function createCustomers({ sql }: { sql: Pool }) {
  async function ensure(payments: Payments, organizationId: string): Promise<string> {
    const existing = await store.findCustomer(sql, organizationId)
    if (existing?.customer_id) return existing.customer_id
    const name = await store.findOrganizationName(sql, organizationId)
    if (name === undefined) throw notFound('Organization')
    // With one key for all processes, concurrent calls create one customer.
    const key = buildProviderKey({ organizationId, route: 'customer', key: String(existing?.generation ?? 0) })
    const { id } = unwrapPayment(await payments.createCustomer({ organizationId, name }, key))
    return store.insertCustomer(sql, { organizationId, customerId: id })
  }

  return {
    ensure,

    findOrganization: (customerId: string) => store.findOrganizationByCustomer(sql, customerId),

    /** Makes a call for the organization's customer. If the provider has deleted it, repeats the call for a new one. */
    async callFor<T>(
      payments: Payments,
      organizationId: string,
      call: (customerId: string) => Promise<PaymentResult<T>>,
    ): Promise<PaymentResult<T>> {
      const customerId = await ensure(payments, organizationId)
      const result = await call(customerId)
      if (result.ok || result.failure.kind !== 'missing') return result
      await store.deleteCustomer(sql, { organizationId, customerId })
      return call(await ensure(payments, organizationId))
    },
  }
}
