import type Stripe from 'stripe'
import { INVOICE_STATUSES, type InvoiceList, type InvoicePage, type ProviderInvoice } from './payments.ts'
import { readProviderUrl } from './provider-url.ts'
import { SHORT_WAIT } from './stripe-client.ts'
import { toTimestamp } from './stripe-subscriptions.ts'

export async function listInvoices(
  stripe: Stripe,
  simulatorUrl: string | undefined,
  { customerId, limit, startingAfter, status }: InvoiceList,
): Promise<InvoicePage> {
  const { data, has_more: hasMore } = await stripe.invoices.list(
    {
      customer: customerId,
      limit,
      ...(startingAfter !== null && { starting_after: startingAfter }),
      ...(status !== undefined && { status }),
    },
    SHORT_WAIT,
  )
  return {
    invoices: data.flatMap((invoice) => readInvoice(invoice, simulatorUrl)),
    nextId: hasMore ? (data.at(-1)?.id ?? null) : null,
  }
}

function readInvoice(invoice: Stripe.Invoice, simulatorUrl: string | undefined): ProviderInvoice[] {
  const status = INVOICE_STATUSES.find((shown) => shown === invoice.status)
  if (status === undefined) return []
  // The period of the invoice itself is the one before, in which its items were collected.
  const periods = invoice.lines.data.map(({ period }) => period)
  return [
    {
      id: invoice.id,
      number: invoice.number,
      status,
      total: invoice.total,
      amountDue: invoice.amount_due,
      currency: invoice.currency,
      createdAt: toTimestamp(invoice.created),
      nextAttemptAt: invoice.next_payment_attempt === null ? null : toTimestamp(invoice.next_payment_attempt),
      periodStart: periods.length === 0 ? null : toTimestamp(Math.min(...periods.map(({ start }) => start))),
      periodEnd: periods.length === 0 ? null : toTimestamp(Math.max(...periods.map(({ end }) => end))),
      hostedUrl: readProviderUrl(invoice.hosted_invoice_url, simulatorUrl),
      pdfUrl: readProviderUrl(invoice.invoice_pdf, simulatorUrl),
    },
  ]
}
