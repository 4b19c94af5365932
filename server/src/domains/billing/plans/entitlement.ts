import type { CustomerState, ProviderSubscription } from '../../../payments/payments.ts'
import { PAID_PLANS, type Plan, PRICE_KEYS } from './plans.ts'

export const STATUSES = ['none', 'pending_payment', 'active', 'past_due', 'suspended', 'canceled'] as const
export type Status = (typeof STATUSES)[number]

/** What an organization may use, and for how long, by what it has paid. */
export type Standing = {
  plan: Plan
  status: Status
  addons: number
  periodStart: string | null
  periodEnd: string | null
  cancelsAt: string | null
}

/** Ours for each of the provider's, of a subscription that was paid for once. */
const LIVE: Record<string, Status> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  unpaid: 'suspended',
  paused: 'suspended',
}
const OVER = new Set(['canceled', 'incomplete_expired'])

const NOTHING = { plan: 'free', addons: 0, periodStart: null, periodEnd: null, cancelsAt: null } as const

/**
 * The states of a subscription, and what leads into each. All of it follows from
 * the provider's state alone, so that callbacks may come late, twice or never.
 *
 * none: never bought, or not in the end.
 * pending_payment: a checkout is open, or a first invoice is. The limits are
 * the free ones: only a paid invoice releases a quota.
 * active: paid. So it stays while a renewal or a change waits for its payment;
 * the provider changes the items only when the change is paid.
 * past_due: a renewal failed and the provider tries again. All keeps working.
 * suspended: the provider has given up trying. Nothing new, and no sends.
 * canceled: over, by whatever way. The free limits, and what exists stays.
 */
export function standingOf(state: CustomerState): Standing {
  const own = chosenSubscription(state)
  if (own && !OVER.has(own.status) && own.isPaid) return paidStanding(own)
  const isOpen = (own && !OVER.has(own.status)) || state.openCheckouts.length > 0
  if (isOpen) return { ...NOTHING, status: 'pending_payment' }
  const wasPaid = state.subscriptions.some(({ isPaid }) => isPaid)
  return { ...NOTHING, status: wasPaid ? 'canceled' : 'none' }
}

/** The one that counts: the newest that is not over, paid rather than not, and to a plan rather than to anything else. */
export function chosenSubscription({ subscriptions }: CustomerState): ProviderSubscription | undefined {
  const open = subscriptions
    .filter(({ status }) => !OVER.has(status))
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
  const paid = open.filter(({ isPaid }) => isPaid)
  return paid.find(planItemOf) ?? paid[0] ?? open[0]
}

/** Those for which somebody pays at once although one is enough. */
export function liveSubscriptions({ subscriptions }: CustomerState): ProviderSubscription[] {
  return subscriptions.filter(({ status, isPaid }) => isPaid && !OVER.has(status))
}

function paidStanding(own: ProviderSubscription): Standing {
  const { periodStart, periodEnd, cancelsAt } = own
  // A status that the provider invents next keeps working: whoever has paid is not to be locked out by a word.
  const status = LIVE[own.status] ?? 'past_due'
  return { plan: planOf(own), status, addons: addonsOf(own), periodStart, periodEnd, cancelsAt }
}

/** Undefined where the subscription is to something that is no plan of ours. */
export function planItemOf({ items }: ProviderSubscription) {
  for (const plan of PAID_PLANS) {
    const item = items.find(({ key, quantity }) => key === PRICE_KEYS[plan] && quantity > 0)
    if (item) return { plan, item }
  }
  return undefined
}

export function addonItemOf({ items }: Pick<ProviderSubscription, 'items'>) {
  return items.find(({ key }) => key === PRICE_KEYS.connection)
}

function planOf(subscription: ProviderSubscription): Plan {
  return planItemOf(subscription)?.plan ?? 'free'
}

function addonsOf(subscription: ProviderSubscription): number {
  return planItemOf(subscription) ? (addonItemOf(subscription)?.quantity ?? 0) : 0
}
