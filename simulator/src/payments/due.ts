import { expireSession } from './checkout/expiring.ts'
import type { Payments } from './context.ts'
import type { Invoice } from './objects/invoice.ts'
import type { Subscription } from './objects/subscription.ts'
import type { DueKind } from './schedule.ts'
import { expireIncomplete } from './subscriptions/ending.ts'
import { discardPending } from './subscriptions/pending.ts'
import { completeCycle, finalizeAndCollect, retryPayment } from './subscriptions/renewing.ts'

type Happen = (payments: Payments, id: string) => void

/** What happens when an appointment comes; an object that is gone by then keeps none. */
const HAPPENINGS: Readonly<Record<DueKind, Happen>> = {
  cycle: onSubscription(completeCycle),
  incomplete: onSubscription((payments, subscription) => {
    if (subscription.status === 'incomplete') expireIncomplete(payments, subscription)
  }),
  pending_update: onSubscription(discardPending),
  finalize: onInvoice(finalizeAndCollect),
  retry: onInvoice(retryPayment),
  checkout(payments, id) {
    const session = payments.state.checkoutSessions.get(id)
    if (session?.status === 'open') expireSession(payments, session)
  },
}

export function happen(payments: Payments, kind: DueKind, id: string): void {
  HAPPENINGS[kind](payments, id)
}

function onSubscription(work: (payments: Payments, subscription: Subscription) => void): Happen {
  return (payments, id) => {
    const subscription = payments.state.subscriptions.get(id)
    if (subscription) work(payments, subscription)
  }
}

function onInvoice(work: (payments: Payments, invoice: Invoice) => void): Happen {
  return (payments, id) => {
    const invoice = payments.state.invoices.get(id)
    if (invoice) work(payments, invoice)
  }
}
