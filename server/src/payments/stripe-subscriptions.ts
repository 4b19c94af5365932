import type Stripe from 'stripe'
import { isMissing } from './errors.ts'
import type {
  Amount,
  ChangeResult,
  CustomerState,
  ProviderSubscription,
  SubscriptionChange,
  SubscriptionItem,
} from './payments.ts'
import { readLookupKey, readPrice } from './stripe-catalog.ts'
import { isDeletedCustomer } from './stripe-customers.ts'

/** More subscriptions than any customer has at one time. Stripe lists the newest first. */
const LIST_LIMIT = 20

const ENDED_STATUSES = new Set<string>(['canceled', 'incomplete_expired'])

export async function fetchCustomerState(stripe: Stripe, customer: string): Promise<CustomerState> {
  try {
    return await listCustomerState(stripe, customer)
  } catch (err) {
    if (!isMissing(err, 'customer') || !(await isDeletedCustomer(stripe, customer))) throw err
    return { subscriptions: [], openCheckouts: [], isDeleted: true }
  }
}

async function listCustomerState(stripe: Stripe, customer: string): Promise<CustomerState> {
  const [subscriptions, checkouts] = await Promise.all([
    stripe.subscriptions.list({ customer, status: 'all', limit: LIST_LIMIT, expand: ['data.latest_invoice'] }),
    stripe.checkout.sessions.list({ customer, status: 'open', limit: LIST_LIMIT }),
  ])
  return {
    subscriptions: await Promise.all(subscriptions.data.map((subscription) => loadSubscription(stripe, subscription))),
    openCheckouts: checkouts.data.map(({ id }) => ({ id })),
    isDeleted: false,
  }
}

async function loadSubscription(stripe: Stripe, subscription: Stripe.Subscription): Promise<ProviderSubscription> {
  const [first] = subscription.items.data
  const invoice = selectInvoice(subscription.latest_invoice)
  const { cancel_at: cancelAt, cancel_at_period_end: cancelsAtEnd } = subscription
  const cancelsAt = cancelAt ?? (cancelsAtEnd ? (first?.current_period_end ?? null) : null)
  return {
    id: subscription.id,
    customerId: typeof subscription.customer === 'string' ? subscription.customer : subscription.customer.id,
    status: subscription.status,
    createdAt: toTimestamp(subscription.created),
    currency: subscription.currency,
    items: subscription.items.data.map(readItem),
    periodStart: first ? toTimestamp(first.current_period_start) : null,
    periodEnd: first ? toTimestamp(first.current_period_end) : null,
    cancelsAt: cancelsAt === null || ENDED_STATUSES.has(subscription.status) ? null : toTimestamp(cancelsAt),
    hasEverPaid: invoice?.status === 'paid' || (await hasPaidInvoice(stripe, subscription)),
    latestInvoiceId: invoice?.id ?? null,
    pendingUpdate: invoice ? readPendingUpdate(subscription, invoice.id) : null,
  }
}

function readItem({ id, price, quantity }: Stripe.SubscriptionItem): SubscriptionItem {
  return { id, lookupKey: readLookupKey(price), quantity: quantity ?? 0, price: readPrice(price) }
}

/** The latest invoice is the one of the pending change: anything that creates a newer invoice ends the change. */
function readPendingUpdate({ pending_update: pendingUpdate }: Stripe.Subscription, invoiceId: string) {
  return pendingUpdate && { invoiceId, items: (pendingUpdate.subscription_items ?? []).map(readItem) }
}

/** The latest invoice may be an unpaid renewal or change that follows paid ones. */
async function hasPaidInvoice(stripe: Stripe, { id, status }: Stripe.Subscription): Promise<boolean> {
  if (status === 'incomplete' || status === 'incomplete_expired') return false
  const paid = await stripe.invoices.list({ subscription: id, status: 'paid', limit: 1 })
  return paid.data.length > 0
}

export async function previewChange(stripe: Stripe, change: SubscriptionChange): Promise<Amount> {
  const invoice = await stripe.invoices.createPreview({
    customer: change.customerId,
    subscription: change.subscriptionId,
    subscription_details: {
      items: change.items,
      proration_behavior: 'always_invoice',
      proration_date: toUnixSeconds(change.prorationDate),
    },
  })
  return readAmount(invoice)
}

/**
 * Stripe creates and charges the invoice immediately. If the charge fails, the items stay as they were, and the change
 * is pending until the invoice is paid or a day has passed.
 */
export async function changeSubscription(
  stripe: Stripe,
  change: SubscriptionChange,
  idempotencyKey: string,
): Promise<ChangeResult> {
  const changed = await stripe.subscriptions.update(
    change.subscriptionId,
    {
      items: change.items,
      proration_behavior: 'always_invoice',
      proration_date: toUnixSeconds(change.prorationDate),
      payment_behavior: 'pending_if_incomplete',
      expand: ['latest_invoice'],
    },
    { idempotencyKey },
  )
  const invoice = selectInvoice(changed.latest_invoice)
  const isNew = invoice !== undefined && invoice.id !== change.latestInvoiceId
  const amount = isNew ? readAmount(invoice) : { amountDue: 0, currency: changed.currency }
  const isApplied = changed.pending_update === null
  return { ...amount, isApplied, payUrl: isApplied ? null : (invoice?.hosted_invoice_url ?? null) }
}

/** An invoice with a negative total has an amount due of 0; its total is the credit. */
function readAmount({ total, amount_due: due, currency }: Stripe.Invoice): Amount {
  return { amountDue: total < 0 ? total : due, currency }
}

/** Undefined for no invoice, and for the id that Stripe sends unless a request expands the invoice. */
function selectInvoice(invoice: string | Stripe.Invoice | null): Stripe.Invoice | undefined {
  return typeof invoice === 'object' && invoice !== null ? invoice : undefined
}

export function toTimestamp(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString()
}

function toUnixSeconds(isoTimestamp: string): number {
  return Math.floor(Date.parse(isoTimestamp) / 1000)
}
