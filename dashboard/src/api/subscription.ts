import { queryOptions } from '@tanstack/react-query'
import { hub } from './hub.ts'

/** Plan, quotas and what is used of them. */
export const subscriptionQuery = queryOptions({
  queryKey: ['subscription'],
  queryFn: () => hub.billing.getSubscription(),
})
