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

/** The price of an item with its interval; undefined while it is not known. */
export function usePrice(): (item: PriceView['item']) => string | undefined {
  const t = useBillingTexts()
  const { data } = useQuery(pricesQuery)
  return (item) => {
    const price = data?.find((candidate) => candidate.item === item)
    if (!price) return undefined
    const { unit_amount, currency, interval, interval_count: count } = price
    return t(`price.${interval}`, { amount: formatMoney(unit_amount, currency), count })
  }
}
