import type { Requests } from './idempotency/service.ts'
import type { BillingLinks } from './links/service.ts'
import type { Previews } from './previews/service.ts'
import type { PaymentCallbacks } from './sync/callbacks/service.ts'
import type { Sync } from './sync/service.ts'
import type { Usage } from './usage/service.ts'

type Services = {
  sync: Sync
  paymentCallbacks: PaymentCallbacks
  requests: Requests
  previews: Previews
  billingLinks: BillingLinks
  usage: Usage
}

/** The table says who is due, hourly or daily: a hub that is restarted often must not start counting anew. */
export function billingJobs({ sync, paymentCallbacks, requests, previews, billingLinks, usage }: Services) {
  return [
    { name: 'reconcile-subscriptions', everySeconds: 300, run: () => sync.reconcile() },
    { name: 'handle-payment-events', everySeconds: 60, run: () => paymentCallbacks.handleOpen() },
    { name: 'fold-usage', everySeconds: 60, run: () => usage.fold() },
    {
      name: 'forget-billing',
      everySeconds: 3600,
      async run() {
        await paymentCallbacks.forgetOld()
        await requests.forgetOld()
        await previews.forgetOld()
        await billingLinks.forgetOld()
        await usage.forgetOld()
      },
    },
  ]
}
