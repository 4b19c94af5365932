import type { Pool } from '../../../kernel/db/pool.ts'
import type { Amount, Payments, ProviderSubscription, SubscriptionChange } from '../../../payments/payments.ts'
import { listChanges } from '../../audit/changes.ts'
import type { Audit } from '../../audit/service.ts'
import type { Principal } from '../../auth/principal.ts'
import type { Execution, IdempotencyRecords } from '../idempotency/service.ts'
import type { Operation, Operations } from '../operations/service.ts'
import { requireAddonEligibility } from '../plans/eligibility.ts'
import { chooseSubscription, computeEntitlement, type Entitlement, findAddonItem } from '../plans/entitlement.ts'
import { computeLimits } from '../plans/plans.ts'
import type { Prices } from '../plans/price-lookup.ts'
import { computeRecurring, type Recurring, replaceItem } from '../plans/recurring.ts'
import type { Previews } from '../previews/service.ts'
import { unwrapPayment } from '../provider/payment-result.ts'
import type { Quotas } from '../quotas/service.ts'
import type { Sync } from '../sync/service.ts'
import { ADDON_REFUSAL, buildAddonChange, voidOtherTotal } from './addon-change.ts'
import type { AddonsBody, AddonsView, PreviewBody, PreviewView } from './schemas.ts'

type Dependencies = {
  sql: Pool
  sync: Sync
  prices: Prices
  quotas: Quotas
  operations: Operations
  previews: Previews
  idempotencyRecords: IdempotencyRecords
  audit: Audit
}

type Progress = { operation: Operation; execution: Execution }
type Outcome = Amount & { isApplied: boolean; totalBefore: number }

export type Addons = ReturnType<typeof createAddons>

/** Additional connections. A request sets their total, and the difference is prorated. */
export function createAddons(dependencies: Dependencies) {
  const { sql, sync, prices, quotas, operations, previews, idempotencyRecords, audit } = dependencies

  async function requireEligible(organizationId: string, total: number) {
    const state = await sync.refresh(organizationId)
    const entitlement = computeEntitlement(state)
    requireAddonEligibility(entitlement, await quotas.read(sql, organizationId), total)
    const subscription = chooseSubscription(state)
    if (!subscription) throw new Error('An organization has a plan and no subscription')
    return { entitlement, subscription }
  }

  /** Stores the change, and enforces a lower limit, before the provider is called. */
  async function prepare(
    change: SubscriptionChange,
    entitlement: Entitlement,
    total: number,
    { operation, execution }: Progress,
  ): Promise<void> {
    await sql.begin(async (tx) => {
      if (total < entitlement.addons) {
        const limits = computeLimits({ plan: entitlement.plan, addons: total })
        requireAddonEligibility(entitlement, await operation.capLimits(tx, limits), total)
      }
      await execution.storeChange(tx, change)
    })
  }

  async function apply(payments: Payments, organizationId: string, change: SubscriptionChange, key: string) {
    const result = unwrapPayment(await payments.changeSubscription(change, key), ADDON_REFUSAL)
    await sync.refresh(organizationId)
    return result
  }

  async function setTotal(
    payments: Payments,
    organizationId: string,
    { total, proration_date: previewedDate }: AddonsBody,
    progress: Progress,
  ): Promise<Outcome> {
    const { providerKey, change: stored } = progress.execution
    if (stored) {
      // A retry sends the same change. More channels may be in use since then, so a lower limit is checked again.
      const change = stored as SubscriptionChange
      const entitlement = computeEntitlement(await sync.refresh(organizationId))
      await prepare(change, entitlement, total, progress)
      return { ...(await apply(payments, organizationId, change, providerKey)), totalBefore: entitlement.addons }
    }
    const { entitlement, subscription } = await requireEligible(organizationId, total)
    const prorationDate = await previews.chooseDate(organizationId, subscription, previewedDate)
    if (total === entitlement.addons) {
      await voidOtherTotal(payments, subscription, total)
      return { amountDue: 0, currency: subscription.currency, isApplied: true, totalBefore: total }
    }
    const change = await buildAddonChange(payments, prices, subscription, { total, prorationDate })
    await prepare(change, entitlement, total, progress)
    return { ...(await apply(payments, organizationId, change, providerKey)), totalBefore: entitlement.addons }
  }

  /** Computes the price of the subscription with `total` connections. One that has some keeps their price. */
  async function findRecurring(
    payments: Payments,
    subscription: ProviderSubscription,
    total: number,
  ): Promise<Recurring | null> {
    const current = findAddonItem(subscription)
    const price = current || total === 0 ? current?.price : await prices.findPrice(payments, 'connection')
    return computeRecurring(replaceItem(subscription, current, { price, quantity: total }))
  }

  return {
    async preview(payments: Payments, organizationId: string, { total }: PreviewBody): Promise<PreviewView> {
      const { entitlement, subscription } = await requireEligible(organizationId, total)
      const prorationDate = await previews.chooseDate(organizationId, subscription)
      let amount: Amount = { amountDue: 0, currency: subscription.currency }
      if (total !== entitlement.addons) {
        const change = await buildAddonChange(payments, prices, subscription, { total, prorationDate })
        amount = unwrapPayment(await payments.previewChange(change), ADDON_REFUSAL)
      }
      await previews.remember(organizationId, subscription, prorationDate)
      const recurring = await findRecurring(payments, subscription, total)
      return {
        total,
        amount_due: amount.amountDue,
        currency: amount.currency,
        recurring: recurring && {
          amount: recurring.amount,
          interval: recurring.interval,
          interval_count: recurring.intervalCount,
        },
        proration_date: prorationDate,
      }
    },

    async set(payments: Payments, { organizationId, initiator }: Principal, key: string, body: AddonsBody) {
      const hashed = { total: body.total, proration_date: body.proration_date ?? null }
      const request = { organizationId, route: 'addons' as const, key, body: hashed }
      return idempotencyRecords.run<AddonsView>(request, async (execution) => {
        const outcome = await operations.run(organizationId, (operation) =>
          setTotal(payments, organizationId, body, { operation, execution }),
        )
        const response = toView(body.total, outcome)
        const target = { type: 'subscription', id: organizationId }
        const entry = {
          organizationId,
          initiator,
          action: 'subscription.addons_set' as const,
          target,
          details: { ...response, changes: listAddonChanges(body.total, outcome) },
        }
        return { response, record: (tx) => audit.record(tx, entry) }
      })
    },
  }
}

/** An unpaid change is in effect only once its invoice is paid: `subscription.changed` then. */
function listAddonChanges(total: number, { isApplied, totalBefore }: Outcome) {
  return isApplied ? listChanges({ addons: totalBefore }, { addons: total }) : {}
}

function toView(total: number, { isApplied, amountDue, currency }: Outcome): AddonsView {
  return { total, status: isApplied ? 'active' : 'pending_payment', amount_due: amountDue, currency }
}
