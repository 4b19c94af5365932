import type { Json, Pool } from '../../../kernel/db/pool.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { CustomerState, Payments } from '../../../payments/payments.ts'
import type { Audit } from '../../audit/service.ts'
import type { Principal } from '../../auth/principal.ts'
import type { Customers } from '../customers/service.ts'
import type { Execution, IdempotencyRecords } from '../idempotency/service.ts'
import { type BillingLinks, RETURN_PATH } from '../links/service.ts'
import type { Operations } from '../operations/service.ts'
import { PRICE_KEYS } from '../plans/catalog.ts'
import { requirePlanEligibility } from '../plans/eligibility.ts'
import { computeEntitlement, listPaidSubscriptions } from '../plans/entitlement.ts'
import { computeLimits, PAID_PLANS, type PaidPlan } from '../plans/plans.ts'
import type { Prices } from '../plans/price-lookup.ts'
import { unwrapPayment } from '../provider/payment-result.ts'
import type { Quotas } from '../quotas/service.ts'
import type { Sync } from '../sync/service.ts'
import type { CheckoutView } from './schemas.ts'

const CHECKOUT_REFUSAL = (cause: unknown) => new AppError('CHECKOUT_NOT_ALLOWED', 'checkout_refused', { cause })

type Dependencies = {
  sql: Pool
  sync: Sync
  customers: Customers
  prices: Prices
  links: BillingLinks
  quotas: Quotas
  operations: Operations
  idempotencyRecords: IdempotencyRecords
  audit: Audit
  publicUrl: string
}

/** Stored as the change of the idempotency record: a retry opens a checkout for the same customer and price. */
type StoredCheckout = { customerId: string; price: string }

export type Bought = { plan: PaidPlan; amount: number; currency: string; channels: number; webhookEndpoints: number }

/** A session of the provider can be found by this id, and by no other means: it is as long as a token. */
const SESSION_ID = /^cs_[A-Za-z0-9_]{10,200}$/

export type Checkouts = ReturnType<typeof createCheckouts>

/** A new customer buys a plan at the provider; a subscriber gets a link to the hub's page that changes the plan. */
export function createCheckouts(dependencies: Dependencies) {
  const { sql, sync, customers, prices, links, quotas, operations, idempotencyRecords, audit, publicUrl } = dependencies

  async function issueChangeLink(organizationId: string, state: CustomerState, plan: PaidPlan): Promise<string> {
    requirePlanEligibility(computeEntitlement(state), await quotas.read(sql, organizationId), plan)
    return sql.begin((tx) => links.issue(tx, organizationId, 'plan', plan))
  }

  async function storeCheckout(
    payments: Payments,
    customerId: string,
    plan: PaidPlan,
    execution: Execution,
  ): Promise<StoredCheckout> {
    const checkout = { customerId, price: await prices.find(payments, plan) }
    await sql.begin((tx) => execution.storeChange(tx, checkout satisfies Json))
    return checkout
  }

  async function openAtProvider(payments: Payments, organizationId: string, plan: PaidPlan, execution: Execution) {
    const returnUrl = publicUrl + RETURN_PATH
    const stored = execution.change as StoredCheckout | null
    const opened = await customers.callFor(payments, organizationId, async (customerId) => {
      const isSame = stored?.customerId === customerId
      const checkout = isSame ? stored : await storeCheckout(payments, customerId, plan, execution)
      // The provider refuses another body under the same key, and another customer makes another body.
      const key = `${execution.providerKey}-${customerId}`
      return payments.createCheckoutSession({ organizationId, ...checkout, returnUrl }, key)
    })
    return unwrapPayment(opened, CHECKOUT_REFUSAL)
  }

  async function abandonCheckout(payments: Payments, id: string): Promise<never> {
    await payments.expireCheckoutSession(id)
    throw new AppError('CHECKOUT_NOT_ALLOWED', 'just_paid')
  }

  /** A checkout that cannot be closed may just have been paid; then the new one must not be paid too. */
  async function closeOthers(payments: Payments, organizationId: string, ownId: string, state: CustomerState) {
    const others = state.openCheckouts.filter(({ id }) => id !== ownId)
    const closed = await Promise.all(others.map(({ id }) => payments.expireCheckoutSession(id)))
    if (closed.every(({ ok }) => ok)) return
    if (listPaidSubscriptions(await sync.refresh(organizationId)).length > 0) await abandonCheckout(payments, ownId)
  }

  /** Opens the new checkout before it closes the others: a retry gets the same checkout, and must not close it. */
  async function open(
    payments: Payments,
    organizationId: string,
    plan: PaidPlan,
    execution: Execution,
  ): Promise<string> {
    const before = await sync.refresh(organizationId)
    if (listPaidSubscriptions(before).length > 0) return issueChangeLink(organizationId, before, plan)
    const opened = await openAtProvider(payments, organizationId, plan, execution)
    const state = await sync.refresh(organizationId)
    if (listPaidSubscriptions(state).length > 0) await abandonCheckout(payments, opened.id)
    const isOpen = state.openCheckouts.some(({ id }) => id === opened.id)
    if (execution.change && !isOpen) {
      throw new AppError('CHECKOUT_NOT_ALLOWED', 'checkout_ended')
    }
    await closeOthers(payments, organizationId, opened.id, state)
    return opened.url
  }

  return {
    /** Finds the plan that a person bought who comes back from the provider; undefined if nothing was paid, or it is not known. */
    async findBought(payments: Payments, id: string): Promise<Bought | undefined> {
      if (!SESSION_ID.test(id)) return undefined
      const found = await payments.findCheckout(id)
      if (!found.ok || !found.value?.isPaid) return undefined
      const { lookupKeys, amountTotal, currency } = found.value
      const plan = PAID_PLANS.find((paid) => lookupKeys.includes(PRICE_KEYS[paid]))
      if (plan === undefined) return undefined
      const { channels, webhook_endpoints: webhookEndpoints } = computeLimits({ plan, addons: 0 })
      return { plan, amount: amountTotal, currency, channels, webhookEndpoints }
    },

    async open(payments: Payments, { organizationId, initiator }: Principal, key: string, plan: PaidPlan) {
      const request = { organizationId, route: 'checkout' as const, key, body: { plan } }
      return idempotencyRecords.run<CheckoutView>(request, async (execution) => {
        const url = await operations.run(organizationId, () => open(payments, organizationId, plan, execution))
        const target = { type: 'subscription', id: organizationId }
        const entry = {
          organizationId,
          initiator,
          action: 'subscription.checkout_opened' as const,
          target,
          details: { plan },
        }
        return { response: { checkout_url: url }, record: (tx) => audit.record(tx, entry) }
      })
    },
  }
}
