import { nowInSeconds } from '../context.ts'
import { defineEndpoint, type Endpoint, listObjects, PAGING, requireObject } from '../http/endpoint.ts'
import { invalidRequest } from '../http/errors.ts'
import { choice, list, natural, object, optional, text } from '../http/params.ts'
import { ITEM, resolveItems } from '../subscriptions/items.ts'
import { discardPendingUpdate, findPendingInvoice } from '../subscriptions/updates.ts'
import { findSubscription, previewInvoice, voidInvoice } from './invoices.ts'
import { prorateItems } from './lines.ts'

const PREVIEW = object({
  customer: optional(text),
  subscription: text,
  subscription_details: object({
    items: list(ITEM),
    proration_behavior: choice('always_invoice'),
    proration_date: optional(natural),
  }),
})

const FILTER = object({
  ...PAGING,
  customer: optional(text),
  starting_after: optional(text),
  status: optional(choice('draft', 'open', 'paid', 'uncollectible', 'void')),
  subscription: optional(text),
})

export const INVOICE_ENDPOINTS: readonly Endpoint[] = [
  /** Previews the invoice of an update with the same proration date: the lines and amounts are the same. */
  defineEndpoint('POST', '/invoices/create_preview', PREVIEW, (payments, params) => {
    const { customer, subscription_details: details } = params
    const subscription = requireObject(
      payments.state.subscriptions,
      params.subscription,
      'subscription',
      'subscription',
    )
    if (customer !== undefined && customer !== subscription.customer) {
      throw invalidRequest(`The subscription does not belong to the customer ${customer}.`, { param: 'customer' })
    }
    const items = resolveItems(payments, subscription, details.items)
    if (items.length === 0) throw invalidRequest('The simulator previews updates only, not renewals.')
    const at = details.proration_date ?? nowInSeconds(payments)
    return previewInvoice(payments, subscription, prorateItems(payments, subscription, items, at).lines)
  }),
  defineEndpoint('GET', '/invoices', FILTER, ({ state }, { limit, status, subscription, ...params }) => {
    const { customer, starting_after: after } = params
    if (customer !== undefined) requireObject(state.customers, customer, 'customer', 'customer')
    const page = {
      url: '/v1/invoices',
      limit,
      ...(after !== undefined && { startingAfter: requireObject(state.invoices, after, 'invoice', 'starting_after') }),
    }
    return listObjects(state.invoices, page, (invoice) => {
      const isOwn = !subscription || invoice.parent.subscription_details.subscription === subscription
      const isCustomers = customer === undefined || invoice.customer === customer
      return isOwn && isCustomers && (!status || invoice.status === status)
    })
  }),
  defineEndpoint('POST', '/invoices/:id/void', object({}), (payments, _params, id) => {
    const invoice = requireObject(payments.state.invoices, id, 'invoice')
    if (invoice.status !== 'open') {
      const message = `This invoice cannot be voided: its status is ${invoice.status}.`
      throw invalidRequest(message, { code: 'invoice_not_editable' })
    }
    const subscription = findSubscription(payments, invoice)
    if (subscription && findPendingInvoice(payments, subscription) === id) discardPendingUpdate(payments, subscription)
    else voidInvoice(payments, invoice)
    return invoice
  }),
]
