import { refusedCharge } from '../billing/failures.ts'
import { paymentOf, voidInvoice } from '../billing/invoices.ts'
import { nowOf, type Payments } from '../context.ts'
import { type Endpoint, endpoint, found } from '../http/endpoint.ts'
import { invalid } from '../http/errors.ts'
import { CREATED, PAGING, pageOf } from '../http/lists.ts'
import { boolean, choice, object, optional, type Params, text } from '../http/params.ts'
import type { Invoice } from '../objects/invoice.ts'
import { collect, finalizeAndReact, subscriptionOf } from '../subscriptions/collecting.ts'
import { discardPending, pendingInvoiceOf } from '../subscriptions/pending.ts'
import { checkAttached } from './customers.ts'

const FILTER = object({
  ...PAGING,
  ...CREATED,
  customer: optional(text),
  status: optional(choice('draft', 'open', 'paid', 'void', 'uncollectible')),
  subscription: optional(text),
})
const PAYMENT = object({ off_session: optional(boolean), payment_method: optional(text) })

export const INVOICE_ENDPOINTS: readonly Endpoint[] = [
  endpoint('GET', '/v1/invoices', FILTER, ({ state }, { params }) => {
    const invoices = [...state.invoices.values()].filter(
      ({ customer, status, parent }) =>
        (!params.customer || customer === params.customer) &&
        (!params.status || status === params.status) &&
        (!params.subscription || parent.subscription_details.subscription === params.subscription),
    )
    return pageOf(invoices, params, { url: '/v1/invoices', kind: 'invoice' })
  }),
  endpoint('GET', '/v1/invoices/:id', object({}), (payments, { id }) => invoiceIn(payments, id)),
  endpoint('GET', '/v1/invoices/:id/lines', object(PAGING), (payments, { params, id }) => {
    const { lines } = invoiceIn(payments, id)
    return pageOf(lines.data.toReversed(), params, { url: lines.url, kind: 'line_item' })
  }),
  endpoint('POST', '/v1/invoices/:id/finalize', object({ auto_advance: optional(boolean) }), (payments, call) => {
    const invoice = invoiceIn(payments, call.id)
    checkStatus(invoice, ['draft'], 'finalized')
    payments.schedule.cancel('finalize', invoice.id)
    finalizeAndReact(payments, invoice)
    return invoice
  }),
  endpoint('POST', '/v1/invoices/:id/pay', PAYMENT, (payments, { params, id }) => {
    return payByRequest(payments, invoiceIn(payments, id), params)
  }),
  endpoint('POST', '/v1/invoices/:id/void', object({}), (payments, { id }) => {
    const invoice = invoiceIn(payments, id)
    checkStatus(invoice, ['open', 'uncollectible'], 'voided')
    const subscription = subscriptionOf(payments, invoice)
    const isPending = subscription !== undefined && pendingInvoiceOf(payments, subscription) === id
    if (isPending) discardPending(payments, subscription)
    else voidInvoice(payments, invoice)
    return invoice
  }),
  endpoint('POST', '/v1/invoices/:id/mark_uncollectible', object({}), (payments, { id }) => {
    const invoice = invoiceIn(payments, id)
    checkStatus(invoice, ['open'], 'marked uncollectible')
    payments.schedule.cancel('retry', id)
    invoice.status = 'uncollectible'
    invoice.status_transitions.marked_uncollectible_at = nowOf(payments)
    payments.events.emit('invoice.marked_uncollectible', invoice)
    return invoice
  }),
  endpoint(
    'GET',
    '/v1/invoice_payments',
    object({ ...PAGING, ...CREATED, invoice: optional(text), status: optional(choice('open', 'paid', 'canceled')) }),
    ({ state }, { params }) => {
      const own = [...state.invoicePayments.values()].filter(
        ({ invoice, status }) =>
          (!params.invoice || invoice === params.invoice) && (!params.status || status === params.status),
      )
      return pageOf(own, params, { url: '/v1/invoice_payments', kind: 'invoice_payment' })
    },
  ),
  endpoint('GET', '/v1/invoice_payments/:id', object({}), ({ state }, { id }) => {
    return found(state.invoicePayments, id, 'invoice_payment')
  }),
]

function invoiceIn({ state }: Payments, id: string): Invoice {
  return found(state.invoices, id, 'invoice')
}

function payByRequest(payments: Payments, invoice: Invoice, params: Params<typeof PAYMENT>): Invoice {
  if (invoice.status === 'paid') throw invalid('Invoice is already paid')
  if (invoice.status === 'draft' && finalizeAndReact(payments, invoice) === 'paid') return invoice
  checkStatus(invoice, ['open', 'uncollectible'], 'paid')
  const given = params.payment_method
  if (given !== undefined) checkAttached(payments, invoice.customer, given, 'payment_method')
  const method = given === undefined ? undefined : payments.state.paymentMethods.get(given)
  const presence = params.off_session === false ? 'onSession' : 'offSession'
  const failure = collect(payments, invoice, { presence, isAutomatic: false, method })
  if (failure === undefined) return invoice
  const payment = paymentOf(payments, invoice)
  throw refusedCharge(failure, payments.state.paymentIntents.get(payment?.payment.payment_intent ?? ''))
}

function checkStatus({ status }: Pick<Invoice, 'status'>, allowed: Invoice['status'][], deed: string): void {
  if (allowed.includes(status)) return
  throw invalid(`This invoice cannot be ${deed}: its status is ${status}.`, { code: 'invoice_not_editable' })
}
