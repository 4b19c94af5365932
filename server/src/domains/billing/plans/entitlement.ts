import type { CustomerState, ProviderSubscription, SubscriptionItem } from '../../../payments/payments.ts'
import { PRICE_KEYS } from './catalog.ts'
import { PAID_PLANS, type PaidPlan, type Plan } from './plans.ts'

export const SUBSCRIPTION_STATUSES = ['none', 'pending_payment', 'active', 'past_due', 'suspended', 'canceled'] as const
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

/** An organization's paid entitlement: its plan, its additional connections and the period. */
export type Entitlement = {
  plan: Plan
  status: SubscriptionStatus
  addons: number
  periodStart: string | null
  periodEnd: string | null
  cancelsAt: string | null
}

/** The status here for each status of a paid subscription at the provider. */
const STATUS_BY_PROVIDER_STATUS: Record<string, SubscriptionStatus> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  unpaid: 'suspended',
  paused: 'suspended',
}
const ENDED_STATUSES = new Set(['canceled', 'incomplete_expired'])

const NOT_ENTITLED = { plan: 'free', addons: 0, periodStart: null, periodEnd: null, cancelsAt: null } as const

/**
 * The states of a subscription, and what enters each. They follow from the provider's state alone, so callbacks may
 * arrive late, twice or never.
 *
 * none: nothing was ever paid.
 * pending_payment: a checkout or a first invoice is open. The limits are those of the free plan: only a paid invoice
 * raises a limit.
 * active: paid. It stays active while a renewal or a change awaits its payment; the provider changes the items only
 * when the change is paid.
 * past_due: a renewal failed and the provider retries the payment. Everything keeps working.
 * suspended: the provider's last retry failed. New channels and sends are refused.
 * canceled: a paid subscription has ended, or the customer was deleted at the provider. The free limits apply, and
 * existing channels keep working.
 */
export function computeEntitlement(state: CustomerState): Entitlement {
  const subscription = chooseSubscription(state)
  if (subscription?.hasEverPaid) return computePaidEntitlement(subscription)
  if (subscription || state.openCheckouts.length > 0) return { ...NOT_ENTITLED, status: 'pending_payment' }
  const wasPaid = state.subscriptions.some(({ hasEverPaid }) => hasEverPaid)
  return { ...NOT_ENTITLED, status: wasPaid || state.isDeleted ? 'canceled' : 'none' }
}

/** The subscription that counts: of those that have not ended the newest, preferring paid ones, then those for a plan. */
export function chooseSubscription(state: CustomerState): ProviderSubscription | undefined {
  const open = listOpenSubscriptions(state).toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
  const paid = open.filter(({ hasEverPaid }) => hasEverPaid)
  return paid.find(findPlanItem) ?? paid[0] ?? open[0]
}

/** Every subscription that the customer pays for. More than one is a mistake, which the sync logs. */
export function listPaidSubscriptions(state: CustomerState): ProviderSubscription[] {
  return listOpenSubscriptions(state).filter(({ hasEverPaid }) => hasEverPaid)
}

/** Every subscription that has not ended. */
export function listOpenSubscriptions({ subscriptions }: CustomerState): ProviderSubscription[] {
  return subscriptions.filter(({ status }) => !ENDED_STATUSES.has(status))
}

function computePaidEntitlement(subscription: ProviderSubscription): Entitlement {
  const { periodStart, periodEnd, cancelsAt } = subscription
  const plan = findPlanItem(subscription)?.plan ?? 'free'
  // An unknown status of the provider must not lock out a paying customer.
  const status = STATUS_BY_PROVIDER_STATUS[subscription.status] ?? 'past_due'
  const addons = plan === 'free' ? 0 : (findAddonItem(subscription)?.quantity ?? 0)
  return { plan, status, addons, periodStart, periodEnd, cancelsAt }
}

/** Undefined if the subscription is not for a plan of the hub. */
export function findPlanItem({ items }: ProviderSubscription): { plan: PaidPlan; item: SubscriptionItem } | undefined {
  for (const plan of PAID_PLANS) {
    const item = items.find(({ lookupKey, quantity }) => lookupKey === PRICE_KEYS[plan] && quantity > 0)
    if (item) return { plan, item }
  }
  return undefined
}

export function findAddonItem({ items }: Pick<ProviderSubscription, 'items'>): SubscriptionItem | undefined {
  return items.find(({ lookupKey }) => lookupKey === PRICE_KEYS.connection)
}
