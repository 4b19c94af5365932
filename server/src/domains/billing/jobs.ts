import type { IdempotencyRecords } from './idempotency/service.ts'
import type { BillingLinks } from './links/service.ts'
import type { Previews } from './previews/service.ts'
import type { PaymentCallbacks } from './sync/callbacks/service.ts'
import type { Sync } from './sync/service.ts'
import type { Usage } from './usage/service.ts'

type Services = {
  sync: Sync
  paymentCallbacks: PaymentCallbacks
  idempotencyRecords: IdempotencyRecords
  previews: Previews
  billingLinks: BillingLinks
  usage: Usage
}

/** The time of each reconciliation is stored with the subscription, so a restart of the hub does not delay it. */
export function billingJobs(services: Services) {
  const { sync, paymentCallbacks, idempotencyRecords, previews, billingLinks, usage } = services
  return [
    { name: 'reconcile-subscriptions', everySeconds: 300, run: () => sync.reconcile() },
    { name: 'handle-payment-events', everySeconds: 60, run: () => paymentCallbacks.retryOpen() },
    { name: 'fold-usage', everySeconds: 60, run: () => usage.fold() },
    {
      name: 'delete-old-billing-data',
      everySeconds: 3600,
      async run() {
        await paymentCallbacks.deleteOld()
        await idempotencyRecords.deleteOld()
        await previews.deleteOld()
        await billingLinks.deleteOld()
        await usage.deleteOld()
      },
    },
  ]
}
