import type { Cursors } from '../../../kernel/crypto/cursor.ts'
import { invalidRequest } from '../../../kernel/errors.ts'
import type { ProviderInvoice } from '../../../payments/payments.ts'
import { type Principal, requireScope } from '../../auth/principal.ts'
import type { Customers } from '../customers/service.ts'
import { unwrapPayment } from '../provider/payment-result.ts'
import type { BillingProvider } from '../provider/service.ts'
import type { InvoiceQuery, InvoiceView } from './schemas.ts'

const CURSOR_REFUSAL = (cause: unknown) => invalidRequest('invoice_cursor_unknown', { cause })

type Dependencies = { billing: BillingProvider; customers: Customers; cursors: Cursors }

export type Invoices = ReturnType<typeof createInvoices>

/** The invoices of an organization, as the provider has them at this moment. The hub stores none. */
export function createInvoices({ billing, customers, cursors }: Dependencies) {
  return {
    async list(principal: Principal, { limit, cursor, status }: InvoiceQuery) {
      requireScope(principal, 'billing:read')
      const { organizationId } = principal
      const payments = billing.require()
      const customerId = await customers.find(organizationId)
      const list = ['invoices', organizationId, customerId ?? null, ...(status === undefined ? [] : [status])]
      const startingAfter = cursor === undefined ? null : cursors.decode(cursor, list)
      if (customerId === undefined) return { invoices: [], next_cursor: null }
      const page = unwrapPayment(
        await payments.listInvoices({ customerId, limit, startingAfter, status }),
        CURSOR_REFUSAL,
      )
      const next_cursor = page.nextId === null ? null : cursors.encode(page.nextId, list)
      return { invoices: page.invoices.map(toView), next_cursor }
    },
  }
}

function toView(invoice: ProviderInvoice): InvoiceView {
  const { id, number, status, total, currency } = invoice
  return {
    id,
    number,
    status,
    total,
    amount_due: invoice.amountDue,
    currency,
    period_start: invoice.periodStart,
    period_end: invoice.periodEnd,
    next_attempt_at: invoice.nextAttemptAt,
    hosted_url: invoice.hostedUrl,
    pdf_url: invoice.pdfUrl,
    created_at: invoice.createdAt,
  }
}
