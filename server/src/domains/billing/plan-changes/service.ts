import type { Pool } from '../../../kernel/db/pool.ts'
import type { Changed, Payments, SubscriptionChange } from '../../../payments/payments.ts'
import type { Act } from '../../audit/act.ts'
import type { Audit } from '../../audit/service.ts'
import { providerKey } from '../idempotency/service.ts'
import type { BillingLink, BillingLinks } from '../links/service.ts'
import type { Operation, Operations } from '../operations/service.ts'
import { refusePlan } from '../plans/eligibility.ts'
import { chosenSubscription, planItemOf, standingOf } from '../plans/entitlement.ts'
import { limitsOf, type PlannedChange } from '../plans/plans.ts'
import type { Prices } from '../plans/prices.ts'
import type { Previews } from '../previews/service.ts'
import { answerOf } from '../provider/payment-result.ts'
import * as store from '../quotas/store.ts'
import type { Sync } from '../sync/service.ts'

const REFUSED = {
  code: 'CHECKOUT_NOT_ALLOWED',
  message: 'The payment provider refused the change. Look at the card and the invoices in the billing portal.',
} as const

type Dependencies = {
  sql: Pool
  sync: Sync
  prices: Prices
  links: BillingLinks
  operations: Operations
  previews: Previews
  audit: Audit
}

export type PlanChanges = ReturnType<typeof createPlanChanges>

/** A change from one paid plan to the other, by whoever holds the link: looked at first, then done once. */
export function createPlanChanges({ sql, sync, prices, links, operations, previews, audit }: Dependencies) {
  async function decide(payments: Payments, { organizationId, plan }: BillingLink, given?: string) {
    const state = await sync.sync(organizationId)
    const standing = standingOf(state)
    const to = plan ?? 'starter'
    refusePlan(standing, await store.findRoom(sql, organizationId), to)
    const subscription = chosenSubscription(state)
    const planned = subscription && planItemOf(subscription)
    if (!subscription || !planned) throw new Error('An organization has a plan and no item for it')
    const prorationDate = await previews.dateOf(organizationId, subscription, given)
    const { id: subscriptionId, customerId, latestInvoiceId } = subscription
    const items = [{ id: planned.item.id, price: await prices.find(payments, to), quantity: 1 }]
    const change: SubscriptionChange = { customerId, subscriptionId, items, prorationDate, latestInvoiceId }
    return { standing, subscription, to, change }
  }

  async function swap(payments: Payments, link: BillingLink, prorationDate: string, operation: Operation) {
    const { organizationId } = link
    const { standing, to, change } = await decide(payments, link, prorationDate)
    await sql.begin(async (tx) => {
      const limits = limitsOf({ plan: to, addons: standing.addons })
      if (limits.channels > limitsOf(standing).channels) return
      refusePlan(standing, await operation.lower(tx, limits), to)
    })
    const key = providerKey({ organizationId, route: 'plan', key: `${link.id} ${prorationDate}` })
    const changed = answerOf(await payments.change(change, key), REFUSED)
    await sync.sync(organizationId)
    return { changed, details: { plan: to, amount_due: changed.amountDue, currency: changed.currency } }
  }

  return {
    async show(payments: Payments, token: string): Promise<PlannedChange> {
      const link = await links.find(token, 'plan')
      const { standing, subscription, to, change } = await decide(payments, link)
      const amount = answerOf(await payments.preview(change), REFUSED)
      await previews.remember(link.organizationId, subscription, change.prorationDate)
      return { from: standing.plan, to, addons: standing.addons, ...amount, prorationDate: change.prorationDate }
    },

    /** Charges what was shown with this date. The link is spent by it, whether the charge was paid at once or not. */
    async confirm(payments: Payments, token: string, prorationDate: string, visitor: Visitor): Promise<Changed> {
      return links.spend(token, 'plan', async (link) => {
        const { organizationId } = link
        const { changed, details } = await operations.run(organizationId, (operation) =>
          swap(payments, link, prorationDate, operation),
        )
        const target = { type: 'subscription', id: organizationId }
        const status = changed.isApplied ? 'active' : 'pending_payment'
        const entry = { organizationId, act: actOf(visitor), action: 'subscription.plan_changed', target }
        await sql.begin((tx) => audit.record(tx, { ...entry, details: { ...details, status } }))
        return changed
      })
    },
  }
}

type Visitor = { ip: string; requestId: string }

function actOf({ ip, requestId }: Visitor): Act {
  return { actor: { type: 'system', id: null, name: 'billing link' }, ip, requestId }
}
