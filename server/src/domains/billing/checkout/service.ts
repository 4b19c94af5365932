import type { Json, Pool } from '../../../kernel/db/pool.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { CustomerState, Payments } from '../../../payments/payments.ts'
import type { Audit } from '../../audit/service.ts'
import type { Principal } from '../../auth/principal.ts'
import type { Customers } from '../customers/service.ts'
import type { Requests, Underway } from '../idempotency/service.ts'
import { type BillingLinks, RETURN_PATH } from '../links/service.ts'
import type { Operations } from '../operations/service.ts'
import { refusePlan } from '../plans/eligibility.ts'
import { liveSubscriptions, standingOf } from '../plans/entitlement.ts'
import type { PaidPlan } from '../plans/plans.ts'
import type { Prices } from '../plans/prices.ts'
import { answerOf } from '../provider/payment-result.ts'
import * as store from '../quotas/store.ts'
import type { CheckoutView } from '../subscriptions/schemas.ts'
import type { Sync } from '../sync/service.ts'

const REFUSED = { code: 'CHECKOUT_NOT_ALLOWED', message: 'The payment provider refused the checkout.' } as const

type Dependencies = {
  sql: Pool
  sync: Sync
  customers: Customers
  prices: Prices
  links: BillingLinks
  operations: Operations
  requests: Requests
  audit: Audit
  publicUrl: string
}

/** What is asked of the provider: kept, so that another try under the same key asks for the same. */
type Opening = { customerId: string; price: string }

export type Checkouts = ReturnType<typeof createCheckouts>

/** The way to a plan: a purchase for whoever has none, a page of ours for whoever changes. */
export function createCheckouts(deps: Dependencies) {
  const { sql, sync, customers, prices, links, operations, requests, audit, publicUrl } = deps

  async function changeLink(organizationId: string, state: CustomerState, plan: PaidPlan): Promise<string> {
    refusePlan(standingOf(state), await store.findRoom(sql, organizationId), plan)
    return sql.begin((tx) => links.issue(tx, organizationId, 'plan', plan))
  }

  async function decide(payments: Payments, customerId: string, plan: PaidPlan, underway: Underway): Promise<Opening> {
    const opening = { customerId, price: await prices.find(payments, plan) }
    await sql.begin((tx) => underway.keepChange(tx, opening satisfies Json))
    return opening
  }

  async function openAtProvider(payments: Payments, organizationId: string, plan: PaidPlan, underway: Underway) {
    const returnUrl = publicUrl + RETURN_PATH
    const kept = underway.change as Opening | null
    const opened = await customers.ask(payments, organizationId, async (customerId) => {
      const isSame = kept?.customerId === customerId
      const opening = isSame ? kept : await decide(payments, customerId, plan, underway)
      // Another customer is another request: the provider would refuse it under the same key.
      const key = `${underway.providerKey}-${customerId}`
      return payments.openCheckout({ organizationId, ...opening, returnUrl }, key)
    })
    return answerOf(opened, REFUSED)
  }

  async function giveUp(payments: Payments, id: string): Promise<never> {
    await payments.closeCheckout(id)
    throw new AppError('CHECKOUT_NOT_ALLOWED', 'An earlier checkout was paid a moment ago. Look at the subscription.')
  }

  /** One that cannot be closed was paid in this moment, and then the new one must not be paid as well. */
  async function closeOthers(payments: Payments, organizationId: string, own: string, state: CustomerState) {
    const others = state.openCheckouts.filter(({ id }) => id !== own)
    const closed = await Promise.all(others.map(({ id }) => payments.closeCheckout(id)))
    if (closed.every(({ ok }) => ok)) return
    if (liveSubscriptions(await sync.sync(organizationId)).length > 0) await giveUp(payments, own)
  }

  /** The new checkout first: another try under the same key is given the same one, and must not close it. */
  async function open(payments: Payments, organizationId: string, plan: PaidPlan, underway: Underway): Promise<string> {
    const before = await sync.sync(organizationId)
    if (liveSubscriptions(before).length > 0) return changeLink(organizationId, before, plan)
    const opened = await openAtProvider(payments, organizationId, plan, underway)
    const state = await sync.sync(organizationId)
    if (liveSubscriptions(state).length > 0) await giveUp(payments, opened.id)
    const isOpen = state.openCheckouts.some(({ id }) => id === opened.id)
    if (underway.change && !isOpen) {
      throw new AppError('CHECKOUT_NOT_ALLOWED', 'This checkout has ended. Use another Idempotency-Key for a new one.')
    }
    await closeOthers(payments, organizationId, opened.id, state)
    return opened.url
  }

  return {
    async open(payments: Payments, { organizationId, act }: Principal, key: string, plan: PaidPlan) {
      const keyed = { organizationId, route: 'checkout' as const, key, body: { plan } }
      return requests.run<CheckoutView>(keyed, async (underway) => {
        const url = await operations.run(organizationId, () => open(payments, organizationId, plan, underway))
        const target = { type: 'subscription', id: organizationId }
        const entry = { organizationId, act, action: 'subscription.checkout_opened', target, details: { plan } }
        return { answer: { checkout_url: url }, record: (tx) => audit.record(tx, entry) }
      })
    },
  }
}
