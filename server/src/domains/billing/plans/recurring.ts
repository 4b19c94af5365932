import type { Price, ProviderSubscription, SubscriptionItem } from '../../../payments/payments.ts'

/** The price of a subscription every `intervalCount` intervals, in minor units of its currency. */
export type Recurring = Pick<Price, 'interval' | 'intervalCount'> & { amount: number }

type PricedItem = Pick<SubscriptionItem, 'quantity'> & { price: Price | null | undefined }

/** Null where the provider has no fixed amount for an item, or the items are charged at different intervals. */
export function computeRecurring(items: readonly PricedItem[]): Recurring | null {
  const [first] = items
  if (!first?.price) return null
  const { currency, interval, intervalCount } = first.price
  let amount = 0
  for (const { price, quantity } of items) {
    if (price?.currency !== currency || price.interval !== interval || price.intervalCount !== intervalCount)
      return null
    amount += price.unitAmount * quantity
  }
  return { amount, interval, intervalCount }
}

/** The items of a subscription after one of them was replaced, or another one was added. */
export function replaceItem(
  { items }: Pick<ProviderSubscription, 'items'>,
  replaced: SubscriptionItem | undefined,
  item: PricedItem,
): PricedItem[] {
  return [...items.filter(({ id }) => id !== replaced?.id), ...(item.quantity > 0 ? [item] : [])]
}
