import type { Pool } from '../../../kernel/db/pool.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { PaymentResult } from '../../../payments/errors.ts'
import type { CustomerState, Payments } from '../../../payments/payments.ts'
import { findOrganization } from '../../organizations/service.ts'
import { buildProviderKey } from '../idempotency/service.ts'
import { listPaidSubscriptions } from '../plans/entitlement.ts'
import { unwrapPayment } from '../provider/payment-result.ts'
import * as store from './store.ts'

type FoundCustomer = { id: string; state: CustomerState }

export type Customers = ReturnType<typeof createCustomers>

/**
 * The provider's customer of each organization. Its id is stored before the organization can buy anything.
 *
 * The provider may not know the stored customer: the customer was deleted there, or the secret key belongs to another
 * account, for which every customer is unknown. So the customer of an organization with a paid plan is only replaced by
 * another one that pays, any other customer also by a new one, and the ids of replaced customers are kept.
 */
export function createCustomers({ sql }: { sql: Pool }) {
  /** The organization's customers that the provider knows, apart from `exceptId`: those that pay come first. */
  async function listExisting(
    payments: Payments,
    organizationId: string,
    exceptId: string | null,
  ): Promise<FoundCustomer[]> {
    const found = unwrapPayment(await payments.findCustomers(organizationId))
    const former = await store.listFormerCustomers(sql, organizationId)
    const ids = [...new Set([...found, ...former])].filter((id) => id !== exceptId)
    const fetched = await Promise.all(ids.map(async (id) => ({ id, result: await payments.fetchCustomerState(id) })))
    return fetched
      .filter(({ result }) => result.ok || result.failure.kind !== 'customer_missing')
      .map(({ id, result }) => ({ id, state: unwrapPayment(result) }))
      .filter(({ state }) => !state.isDeleted)
      .toSorted((a, b) => Number(isPaying(b)) - Number(isPaying(a)))
  }

  async function create(payments: Payments, organizationId: string, generation: number): Promise<string> {
    const organization = await findOrganization(sql, organizationId)
    if (!organization) throw notFound('organization_not_found')
    // With one key for all processes, concurrent calls create one customer.
    const key = buildProviderKey({ organizationId, route: 'customer', key: String(generation) })
    return unwrapPayment(await payments.createCustomer({ organizationId, name: organization.name }, key)).id
  }

  /** A database that was restored from a backup may not know a customer who pays. */
  async function ensure(payments: Payments, organizationId: string, exceptId: string | null = null): Promise<string> {
    const stored = await store.findCustomer(sql, organizationId)
    if (stored?.customer_id) return stored.customer_id
    const [existing] = await listExisting(payments, organizationId, exceptId)
    const customerId = existing?.id ?? (await create(payments, organizationId, stored?.generation ?? 0))
    return store.insertCustomer(sql, { organizationId, customerId })
  }

  return {
    ensure: (payments: Payments, organizationId: string) => ensure(payments, organizationId),

    /** Undefined for an organization that has bought nothing. */
    find: async (organizationId: string): Promise<string | undefined> =>
      (await store.findCustomer(sql, organizationId))?.customer_id ?? undefined,

    findOrganization: (customerId: string) => store.findOrganizationByCustomer(sql, customerId),

    /** Replaces a customer that the provider does not know by another one of the organization, if that one pays. */
    async replaceByPaying(payments: Payments, organizationId: string, customerId: string): Promise<boolean> {
      const paying = (await listExisting(payments, organizationId, customerId)).find(isPaying)
      if (!paying) return false
      return store.replaceCustomer(sql, { organizationId, customerId, replacementId: paying.id })
    },

    /**
     * Makes a call for the organization's customer. If the provider does not know the customer, and nothing is paid,
     * repeats the call for another one.
     */
    async callFor<T>(
      payments: Payments,
      organizationId: string,
      call: (customerId: string) => Promise<PaymentResult<T>>,
    ): Promise<PaymentResult<T>> {
      const customerId = await ensure(payments, organizationId)
      const result = await call(customerId)
      if (result.ok || result.failure.kind !== 'customer_missing') return result
      await store.replaceCustomer(sql, { organizationId, customerId, replacementId: null })
      const replacementId = await ensure(payments, organizationId, customerId)
      return replacementId === customerId ? result : call(replacementId)
    },
  }
}

function isPaying({ state }: FoundCustomer): boolean {
  return listPaidSubscriptions(state).length > 0
}
