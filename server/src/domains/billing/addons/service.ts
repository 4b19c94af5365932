import type { Pool } from '../../../kernel/db/pool.ts'
import type { Amount, Payments, ProviderSubscription, SubscriptionChange } from '../../../payments/payments.ts'
import type { Audit } from '../../audit/service.ts'
import type { Principal } from '../../auth/principal.ts'
import type { Requests, Underway } from '../idempotency/service.ts'
import type { Operation, Operations } from '../operations/service.ts'
import { refuseAddons } from '../plans/eligibility.ts'
import { addonItemOf, chosenSubscription, type Standing, standingOf } from '../plans/entitlement.ts'
import { limitsOf } from '../plans/plans.ts'
import type { Prices } from '../plans/prices.ts'
import type { Previews } from '../previews/service.ts'
import { answerOf } from '../provider/payment-result.ts'
import * as store from '../quotas/store.ts'
import type { AddonsBody, AddonsView, PreviewBody, PreviewView } from '../subscriptions/schemas.ts'
import type { Sync } from '../sync/service.ts'

const REFUSED = {
  code: 'ADDON_NOT_ALLOWED',
  message: 'The payment provider refused the change. Look at the card and the invoices in the billing portal.',
} as const

type Dependencies = {
  sql: Pool
  sync: Sync
  prices: Prices
  operations: Operations
  previews: Previews
  requests: Requests
  audit: Audit
}

type Parts = { operation: Operation; underway: Underway }
type At = { total: number; parts: Parts }
type Outcome = Amount & { isApplied: boolean }

export type Addons = ReturnType<typeof createAddons>

/** Additional connections: always a total, and charged for in proportion to what is left of the period. */
export function createAddons({ sql, sync, prices, operations, previews, requests, audit }: Dependencies) {
  async function look(organizationId: string) {
    const state = await sync.sync(organizationId)
    return { standing: standingOf(state), subscription: chosenSubscription(state) }
  }

  /** The subscription as it is, for a change to a total that it can have. */
  async function changeable(organizationId: string, total: number) {
    const { standing, subscription } = await look(organizationId)
    refuseAddons(standing, await store.findRoom(sql, organizationId), total)
    if (!subscription) throw new Error('An organization has a plan and no subscription')
    return { standing, subscription }
  }

  async function changeOf(
    payments: Payments,
    subscription: ProviderSubscription,
    wanted: { total: number; prorationDate: string },
  ): Promise<SubscriptionChange> {
    const item = addonItemOf(subscription)
    const named = item ? { id: item.id } : { price: await prices.find(payments, 'connection') }
    const { id: subscriptionId, customerId, latestInvoiceId } = subscription
    const items = [{ ...named, quantity: wanted.total }]
    return { customerId, subscriptionId, items, prorationDate: wanted.prorationDate, latestInvoiceId }
  }

  /** Keeps a change before it is asked for. One that takes connections away takes their room first. */
  async function keep(change: SubscriptionChange, standing: Standing, total: number, { operation, underway }: Parts) {
    await sql.begin(async (tx) => {
      if (total < standing.addons) {
        const limits = limitsOf({ plan: standing.plan, addons: total })
        refuseAddons(standing, await operation.lower(tx, limits), total)
      }
      await underway.keepChange(tx, change)
    })
  }

  async function change(payments: Payments, organizationId: string, wanted: SubscriptionChange, key: string) {
    const changed = answerOf(await payments.change(wanted, key), REFUSED)
    await sync.sync(organizationId)
    return changed
  }

  /** A try that follows another under the same key asks for the same; since then, room may have been taken. */
  async function setAgain(payments: Payments, organizationId: string, kept: SubscriptionChange, at: At) {
    const { standing } = await look(organizationId)
    await keep(kept, standing, at.total, at.parts)
    return change(payments, organizationId, kept, at.parts.underway.providerKey)
  }

  async function set(payments: Payments, organizationId: string, body: AddonsBody, parts: Parts): Promise<Outcome> {
    const { total, proration_date: given } = body
    const kept = parts.underway.change as SubscriptionChange | null
    if (kept) return setAgain(payments, organizationId, kept, { total, parts })
    const { standing, subscription } = await changeable(organizationId, total)
    const prorationDate = await previews.dateOf(organizationId, subscription, given)
    if (total === standing.addons) {
      await withdrawOther(payments, subscription, total)
      return { amountDue: 0, currency: subscription.currency, isApplied: true }
    }
    const wanted = await changeOf(payments, subscription, { total, prorationDate })
    await keep(wanted, standing, total, parts)
    return change(payments, organizationId, wanted, parts.underway.providerKey)
  }

  return {
    async preview(payments: Payments, organizationId: string, { total }: PreviewBody): Promise<PreviewView> {
      const { standing, subscription } = await changeable(organizationId, total)
      const prorationDate = await previews.dateOf(organizationId, subscription)
      const amount = await previewed(payments, { standing, subscription, total, prorationDate })
      await previews.remember(organizationId, subscription, prorationDate)
      return { total, amount_due: amount.amountDue, currency: amount.currency, proration_date: prorationDate }
    },

    async set(payments: Payments, { organizationId, act }: Principal, key: string, body: AddonsBody) {
      const kept = { total: body.total, proration_date: body.proration_date ?? null }
      return requests.run<AddonsView>({ organizationId, route: 'addons', key, body: kept }, async (underway) => {
        const outcome = await operations.run(organizationId, (operation) =>
          set(payments, organizationId, body, { operation, underway }),
        )
        const answer = view(body.total, outcome)
        const target = { type: 'subscription', id: organizationId }
        const entry = { organizationId, act, action: 'subscription.addons_set', target, details: { ...answer } }
        return { answer, record: (tx) => audit.record(tx, entry) }
      })
    },
  }

  async function previewed(
    payments: Payments,
    p: { standing: Standing; subscription: ProviderSubscription; total: number; prorationDate: string },
  ): Promise<Amount> {
    if (p.total === p.standing.addons) return { amountDue: 0, currency: p.subscription.currency }
    return answerOf(await payments.preview(await changeOf(payments, p.subscription, p)), REFUSED)
  }
}

/** The last total that was set is what counts: another that still waits for its payment is taken back. */
async function withdrawOther(payments: Payments, { pending }: ProviderSubscription, total: number): Promise<void> {
  const waiting = pending && addonItemOf(pending)
  if (waiting && waiting.quantity !== total) answerOf(await payments.withdraw(pending.invoiceId), REFUSED)
}

function view(total: number, changed: Outcome): AddonsView {
  const status = changed.isApplied ? 'active' : 'pending_payment'
  return { total, status, amount_due: changed.amountDue, currency: changed.currency }
}
