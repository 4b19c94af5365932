import { AppError } from '../../../kernel/errors.ts'
import type { Payments, ProviderSubscription, SubscriptionChange } from '../../../payments/payments.ts'
import { findAddonItem } from '../plans/entitlement.ts'
import type { Prices } from '../plans/price-lookup.ts'
import { unwrapPayment } from '../provider/payment-result.ts'

export const ADDON_REFUSAL = (cause: unknown) => new AppError('ADDON_NOT_ALLOWED', 'change_refused', { cause })

/** Changes the item of the additional connections, or adds it to a subscription that has none. */
export async function buildAddonChange(
  payments: Payments,
  prices: Prices,
  subscription: ProviderSubscription,
  { total, prorationDate }: { total: number; prorationDate: string },
): Promise<SubscriptionChange> {
  const item = findAddonItem(subscription)
  const target = item ? { id: item.id } : { price: await prices.find(payments, 'connection') }
  const { id: subscriptionId, customerId, latestInvoiceId } = subscription
  const items = [{ ...target, quantity: total }]
  return { customerId, subscriptionId, items, prorationDate, latestInvoiceId }
}

/** The latest total counts: voids the invoice of a pending change to another total, and with it the change. */
export async function voidOtherTotal(
  payments: Payments,
  { pendingUpdate }: ProviderSubscription,
  total: number,
): Promise<void> {
  const item = pendingUpdate && findAddonItem(pendingUpdate)
  if (item && item.quantity !== total) unwrapPayment(await payments.voidInvoice(pendingUpdate.invoiceId), ADDON_REFUSAL)
}
