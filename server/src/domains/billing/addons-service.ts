import type { Pool } from '../../kernel/db/pool.ts'
import type { Amount, Payments, ProviderSubscription, SubscriptionChange } from '../../payments/payments.ts'
import type { Audit } from '../audit/service.ts'
import type { Principal } from '../auth/principal.ts'
import { refuseAddons } from './fit.ts'
import type { Operation, Operations } from './operations-service.ts'
import { answerOf } from './payment-error.ts'
import { limitsOf } from './plans.ts'
import type { Prices } from './prices-service.ts'
import type { Requests, Underway } from './requests-service.ts'
import type { AddonsBody, AddonsView, PreviewBody, PreviewView } from './schemas.ts'
import { addonItemOf, chosenSubscription, type Standing, standingOf } from './standing.ts'
import * as store from './store.ts'
import type { Sync } from './sync-service.ts'

const REFUSED = { code: 'ADDON_NOT_ALLOWED', message: 'The payment provider refused the change.' } as const

type Dependencies = {
  sql: Pool
  sync: Sync
  prices: Prices
  operations: Operations
  requests: Requests
  audit: Audit
}

export type Addons = ReturnType<typeof createAddons>

/** Additional connections: always a total, and charged for in proportion to what is left of the period. */
export function createAddons({ sql, sync, prices, operations, requests, audit }: Dependencies) {
  async function current(organizationId: string, total: number) {
    const state = await sync.sync(organizationId)
    const standing = standingOf(state)
    refuseAddons(standing, await store.findRoom(sql, organizationId), total)
    const subscription = chosenSubscription(state)
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

  /** Decides on a change and keeps it. Where the total stays as it is, there is none. */
  async function begin(
    payments: Payments,
    organizationId: string,
    body: AddonsBody,
    { operation, underway }: { operation: Operation; underway: Underway },
  ): Promise<SubscriptionChange | Amount> {
    const { total, proration_date: given } = body
    const { standing, subscription } = await current(organizationId, total)
    const prorationDate = await operations.prorationDate(organizationId, standing.periodStart, given)
    if (total === standing.addons) return { amountDue: 0, currency: subscription.currency }
    const change = await changeOf(payments, subscription, { total, prorationDate })
    await sql.begin(async (tx) => {
      if (total < standing.addons) {
        const limits = limitsOf({ plan: standing.plan, addons: total })
        refuseAddons(standing, await operation.lower(tx, limits), total)
      }
      await underway.keepChange(tx, change)
    })
    return change
  }

  async function set(
    payments: Payments,
    organizationId: string,
    body: AddonsBody,
    parts: { operation: Operation; underway: Underway },
  ): Promise<AddonsView> {
    const kept = parts.underway.change as SubscriptionChange | null
    const change = kept ?? (await begin(payments, organizationId, body, parts))
    if ('amountDue' in change) return view(body.total, { ...change, isApplied: true })
    const changed = answerOf(await payments.change(change, parts.underway.providerKey), REFUSED)
    await sync.sync(organizationId)
    return view(body.total, changed)
  }

  return {
    async preview(payments: Payments, organizationId: string, { total }: PreviewBody): Promise<PreviewView> {
      const { standing, subscription } = await current(organizationId, total)
      const prorationDate = await operations.prorationDate(organizationId, standing.periodStart)
      const amount = await previewed(payments, { standing, subscription, total, prorationDate })
      await operations.rememberPreview(organizationId, prorationDate)
      return { total, amount_due: amount.amountDue, currency: amount.currency, proration_date: prorationDate }
    },

    async set(payments: Payments, { organizationId, act }: Principal, key: string, body: AddonsBody) {
      const kept = { total: body.total, proration_date: body.proration_date ?? null }
      return requests.run<AddonsView>({ organizationId, route: 'addons', key, body: kept }, async (underway) => {
        const answer = await operations.run(organizationId, (operation) =>
          set(payments, organizationId, body, { operation, underway }),
        )
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

function view(total: number, changed: Amount & { isApplied: boolean }): AddonsView {
  const status = changed.isApplied ? 'active' : 'pending_payment'
  return { total, status, amount_due: changed.amountDue, currency: changed.currency }
}
