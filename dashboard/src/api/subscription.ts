import type { SubscriptionView } from '@hubline/sdk'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { defineTexts } from '../lib/texts.ts'
import { useLiveQueries } from '../live/use-live-queries.ts'
import { hub } from './hub.ts'
import { useRefusal } from './permissions.ts'

const usePermissionTexts = defineTexts('permissions')

type Status = SubscriptionView['subscription']['status']

/** Plan, quotas and what is used of them. */
export const subscriptionQuery = queryOptions({
  queryKey: ['subscription'],
  queryFn: () => hub.billing.getSubscription(),
})

export const invoicesKey = ['invoices']

/** The invoice that has been open for longest, as the payment provider has it; null if none is to be paid. */
export function openInvoiceQuery(organizationId: string) {
  return queryOptions({
    queryKey: [...invoicesKey, organizationId, 'open'],
    async queryFn() {
      const invoices = await hub.console.listInvoices(organizationId, { status: 'open', limit: 100 }).toArray()
      return invoices.findLast(({ amount_due }) => amount_due > 0) ?? null
    },
  })
}

/** Returns true if an event changes plan, invoices or payments. */
export function concernsSubscription({ kind }: { kind: string }): boolean {
  return kind === 'subscription.updated'
}

/** Returns true while a renewal is unpaid. Nothing more can be bought then. */
export function isUnpaid(status: Status): boolean {
  return status === 'past_due' || status === 'suspended'
}

function useSuspension(): string | undefined {
  const t = usePermissionTexts()
  const { data } = useQuery(subscriptionQuery)
  useLiveQueries(subscriptionQuery.queryKey, concernsSubscription)
  return data?.subscription.status === 'suspended' ? t('suspended') : undefined
}

/** Explains why nothing can be sent now; undefined if it can. */
export function useSendRefusal(): string | undefined {
  const suspension = useSuspension()
  return useRefusal('messages:send') ?? suspension
}

/** Explains why no channel can be created now, apart from the quota; undefined if one can. */
export function useNewChannelRefusal(): string | undefined {
  const suspension = useSuspension()
  return useRefusal('channels:write') ?? suspension
}

/** Opens the payment provider's pages for the card and the cancellation: the link works once, and is followed at once. */
export function usePortal() {
  return useMutation({
    mutationFn: () => hub.billing.openPortal(),
    onSuccess: ({ portal_url }) => location.assign(portal_url),
  })
}
