import type { Pool } from '../../../kernel/db/pool.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Logger } from '../../../kernel/logger.ts'
import type { ChangeResult, Payments, SubscriptionChange } from '../../../payments/payments.ts'
import { listChanges } from '../../audit/changes.ts'
import type { Initiator } from '../../audit/initiator.ts'
import type { Audit } from '../../audit/service.ts'
import { buildProviderKey } from '../idempotency/service.ts'
import type { BillingLink, BillingLinks } from '../links/service.ts'
import type { Operation, Operations } from '../operations/service.ts'
import { requirePlanEligibility } from '../plans/eligibility.ts'
import { chooseSubscription, computeEntitlement, findPlanItem } from '../plans/entitlement.ts'
import { computeLimits, type PaidPlan, type Plan, QUOTAS } from '../plans/plans.ts'
import type { Prices } from '../plans/price-lookup.ts'
import { computeRecurring, type Recurring, replaceItem } from '../plans/recurring.ts'
import type { Previews } from '../previews/service.ts'
import { unwrapPayment } from '../provider/payment-result.ts'
import type { Quotas } from '../quotas/service.ts'
import type { Sync } from '../sync/service.ts'

const CHANGE_REFUSAL = (cause: unknown) => new AppError('CHECKOUT_NOT_ALLOWED', 'change_refused', { cause })

type Dependencies = {
  sql: Pool
  sync: Sync
  prices: Prices
  links: BillingLinks
  quotas: Quotas
  operations: Operations
  previews: Previews
  audit: Audit
  logger: Logger
}

/** The preview that a person sees before confirming a change of plan. */
export type PlanChangePreview = {
  from: Plan
  to: PaidPlan
  addons: number
  amountDue: number
  currency: string
  /** The price of the subscription afterward; null if the provider has no fixed amount. */
  recurring: Recurring | null
  /** Channels in use, and how many the new plan has room for. */
  channels: { used: number; limit: number }
  prorationDate: string
}

/** The result of a change, with the limits from then on. */
export type PlanChanged = ChangeResult & { plan: PaidPlan; channels: number; webhookEndpoints: number }

export type PlanChanges = ReturnType<typeof createPlanChanges>

/** A change from one paid plan to another, by a person who holds the link: previewed, then confirmed once. */
export function createPlanChanges(dependencies: Dependencies) {
  const { sql, sync, prices, links, quotas, operations, previews, audit, logger } = dependencies

  async function prepareChange(payments: Payments, { organizationId, plan: to }: BillingLink, previewedDate?: string) {
    if (to === null) throw new Error('A link to the plan page names no plan')
    const state = await sync.refresh(organizationId)
    const entitlement = computeEntitlement(state)
    const used = await quotas.read(sql, organizationId)
    requirePlanEligibility(entitlement, used, to)
    const subscription = chooseSubscription(state)
    const current = subscription && findPlanItem(subscription)
    if (!subscription || !current) throw new Error('The subscription has no item for its plan')
    const prorationDate = await previews.chooseDate(organizationId, subscription, previewedDate)
    const { id: subscriptionId, customerId, latestInvoiceId } = subscription
    const items = [{ id: current.item.id, price: await prices.find(payments, to), quantity: 1 }]
    const change: SubscriptionChange = { customerId, subscriptionId, items, prorationDate, latestInvoiceId }
    return { entitlement, subscription, current: current.item, used, to, change }
  }

  async function apply(payments: Payments, link: BillingLink, prorationDate: string, operation: Operation) {
    const { organizationId } = link
    const { entitlement, to, change } = await prepareChange(payments, link, prorationDate)
    await sql.begin(async (tx) => {
      const [limits, current] = [computeLimits({ plan: to, addons: entitlement.addons }), computeLimits(entitlement)]
      if (QUOTAS.every((quota) => limits[quota] >= current[quota])) return
      requirePlanEligibility(entitlement, await operation.capLimits(tx, limits), to)
    })
    const key = buildProviderKey({ organizationId, route: 'plan', key: `${link.id} ${prorationDate}` })
    const result = unwrapPayment(await payments.changeSubscription(change, key), CHANGE_REFUSAL)
    try {
      await sync.refresh(organizationId)
    } catch (err) {
      // The change is made, so the link is used. Lower limits hold until a callback leads to the next fetch.
      operation.keepCaps()
      logger.warn({ err, organization_id: organizationId }, 'plan change could not be synced')
    }
    const limits = computeLimits({ plan: to, addons: entitlement.addons })
    return { result, from: entitlement.plan, to, limits }
  }

  /** The change is made: without its entry it is still not one that failed. */
  async function recordChange(
    { organizationId }: BillingLink,
    { result, from, to }: Awaited<ReturnType<typeof apply>>,
    client: Client,
  ): Promise<void> {
    const { amountDue: amount_due, currency, isApplied } = result
    const entry = {
      organizationId,
      initiator: toInitiator(client),
      action: 'subscription.plan_changed' as const,
      target: { type: 'subscription', id: organizationId },
      details: {
        plan: to,
        amount_due,
        currency,
        status: isApplied ? 'active' : 'pending_payment',
        // An unpaid change is in effect only once its invoice is paid: `subscription.changed` then.
        changes: isApplied ? listChanges({ plan: from }, { plan: to }) : {},
      },
    }
    try {
      await sql.begin((tx) => audit.record(tx, entry))
    } catch (err) {
      logger.error({ err, organization_id: organizationId }, 'plan change could not be recorded')
    }
  }

  return {
    async preview(payments: Payments, token: string): Promise<PlanChangePreview> {
      const link = await links.find(token, 'plan')
      const { entitlement, subscription, current, used, to, change } = await prepareChange(payments, link)
      const amount = unwrapPayment(await payments.previewChange(change), CHANGE_REFUSAL)
      const { prorationDate } = change
      await previews.remember(link.organizationId, subscription, prorationDate)
      const price = await prices.findPrice(payments, to)
      const recurring = computeRecurring(replaceItem(subscription, current, { price, quantity: 1 }))
      const { addons } = entitlement
      const channels = { used: used.channels, limit: computeLimits({ plan: to, addons }).channels }
      return { from: entitlement.plan, to, addons, ...amount, recurring, channels, prorationDate }
    },

    /** Charges the amount that was previewed with this date. Uses the link, even if the invoice is not paid at once. */
    async confirm(payments: Payments, token: string, prorationDate: string, client: Client): Promise<PlanChanged> {
      return links.use(token, 'plan', async (link) => {
        const change = await operations.run(link.organizationId, (operation) =>
          apply(payments, link, prorationDate, operation),
        )
        await recordChange(link, change, client)
        const { channels, webhook_endpoints: webhookEndpoints } = change.limits
        return { ...change.result, plan: change.to, channels, webhookEndpoints }
      })
    },
  }
}

type Client = { ip: string; requestId: string }

function toInitiator({ ip, requestId }: Client): Initiator {
  return { actor: { type: 'system', id: null, name: 'billing link' }, ip, requestId }
}
