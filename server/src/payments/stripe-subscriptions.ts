import type Stripe from 'stripe'
import type {
  Amount,
  Changed,
  CustomerState,
  ProviderSubscription,
  SubscriptionChange,
  SubscriptionItem,
} from './payments.ts'
import { keyOf } from './stripe-catalog.ts'

/** More than a customer of ours comes to have: the newest come first. */
const LIMIT = 20

const OVER = new Set<string>(['canceled', 'incomplete_expired'])

export async function fetchCustomer(stripe: Stripe, customer: string): Promise<CustomerState> {
  const [subscriptions, checkouts] = await Promise.all([
    stripe.subscriptions.list({ customer, status: 'all', limit: LIMIT, expand: ['data.latest_invoice'] }),
    stripe.checkout.sessions.list({ customer, status: 'open', limit: LIMIT }),
  ])
  return {
    subscriptions: await Promise.all(subscriptions.data.map((subscription) => read(stripe, subscription))),
    openCheckouts: checkouts.data.map(({ id }) => ({ id })),
  }
}

async function read(stripe: Stripe, subscription: Stripe.Subscription): Promise<ProviderSubscription> {
  const [first] = subscription.items.data
  const invoice = expanded(subscription.latest_invoice)
  const { cancel_at: cancelAt, cancel_at_period_end: cancelsAtEnd } = subscription
  const cancelsAt = cancelAt ?? (cancelsAtEnd ? (first?.current_period_end ?? null) : null)
  return {
    id: subscription.id,
    customerId: typeof subscription.customer === 'string' ? subscription.customer : subscription.customer.id,
    status: subscription.status,
    createdAt: timestamp(subscription.created),
    currency: subscription.currency,
    items: subscription.items.data.map(readItem),
    periodStart: first ? timestamp(first.current_period_start) : null,
    periodEnd: first ? timestamp(first.current_period_end) : null,
    cancelsAt: cancelsAt === null || OVER.has(subscription.status) ? null : timestamp(cancelsAt),
    isPaid: invoice?.status === 'paid' || (await hasPaidInvoice(stripe, subscription)),
    latestInvoiceId: invoice?.id ?? null,
    pending: invoice ? readPending(subscription, invoice.id) : null,
  }
}

function readItem({ id, price, quantity }: Stripe.SubscriptionItem): SubscriptionItem {
  return { id, key: keyOf(price), quantity: quantity ?? 0 }
}

/** No other invoice can follow that of a pending change: whatever makes one ends the change. */
function readPending({ pending_update: pending }: Stripe.Subscription, invoiceId: string) {
  return pending && { invoiceId, items: (pending.subscription_items ?? []).map(readItem) }
}

/** The latest invoice may be a renewal or a change that is still open, after many that were paid. */
async function hasPaidInvoice(stripe: Stripe, { id, status }: Stripe.Subscription): Promise<boolean> {
  if (status === 'incomplete' || status === 'incomplete_expired') return false
  const paid = await stripe.invoices.list({ subscription: id, status: 'paid', limit: 1 })
  return paid.data.length > 0
}

export async function preview(stripe: Stripe, change: SubscriptionChange): Promise<Amount> {
  const invoice = await stripe.invoices.createPreview({
    customer: change.customerId,
    subscription: change.subscriptionId,
    subscription_details: {
      items: change.items,
      proration_behavior: 'always_invoice',
      proration_date: seconds(change.prorationDate),
    },
  })
  return amountOf(invoice)
}

/**
 * The invoice is made and charged at once. Where that fails, the provider keeps
 * the items as they were and the change as pending, until the invoice is paid or
 * a day has passed.
 */
export async function change(stripe: Stripe, wanted: SubscriptionChange, idempotencyKey: string): Promise<Changed> {
  const changed = await stripe.subscriptions.update(
    wanted.subscriptionId,
    {
      items: wanted.items,
      proration_behavior: 'always_invoice',
      proration_date: seconds(wanted.prorationDate),
      payment_behavior: 'pending_if_incomplete',
      expand: ['latest_invoice'],
    },
    { idempotencyKey },
  )
  const invoice = expanded(changed.latest_invoice)
  const isNew = invoice !== undefined && invoice.id !== wanted.latestInvoiceId
  const amount = isNew ? amountOf(invoice) : { amountDue: 0, currency: changed.currency }
  const isApplied = changed.pending_update === null
  return { ...amount, isApplied, payUrl: isApplied ? null : (invoice?.hosted_invoice_url ?? null) }
}

/** An invoice of less than nothing says that nothing is due, and its total what is credited. */
function amountOf({ total, amount_due: due, currency }: Stripe.Invoice): Amount {
  return { amountDue: total < 0 ? total : due, currency }
}

function expanded(invoice: string | Stripe.Invoice | null): Stripe.Invoice | undefined {
  return typeof invoice === 'object' && invoice !== null ? invoice : undefined
}

function timestamp(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString()
}

function seconds(isoTimestamp: string): number {
  return Math.floor(Date.parse(isoTimestamp) / 1000)
}
