import type { PriceView } from '@hubline/sdk/console'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import { formatMoney } from '../../lib/format.ts'
import { useBillingTexts } from './billing-texts.ts'

/** The payment provider's prices of the plans and an additional connection. */
export const pricesQuery = queryOptions({
  queryKey: ['billing-prices'],
  queryFn: () => hub.console.listPrices().toArray(),
  staleTime: 60_000,
})

type Charge = Pick<PriceView, 'currency' | 'interval' | 'interval_count'> & { amount: number }

/** An amount with the interval at which it is charged. */
export function useWritePrice(): (charge: Charge) => string {
  const t = useBillingTexts()
  return ({ amount, currency, interval, interval_count: count }) =>
    t(`price.${interval}`, { amount: formatMoney(amount, currency), count })
}

/** The price of an item with its interval; undefined while it is not known. */
export function usePrice(): (item: PriceView['item']) => string | undefined {
  const write = useWritePrice()
  const { data } = useQuery(pricesQuery)
  return (item) => {
    const price = data?.find((candidate) => candidate.item === item)
    return price && write({ ...price, amount: price.unit_amount })
  }
}
