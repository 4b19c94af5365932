import type { Pool } from '../../../kernel/db/pool.ts'
import type { Payments } from '../../../payments/payments.ts'
import type { Audit } from '../../audit/service.ts'
import type { Principal } from '../../auth/principal.ts'
import type { Customers } from '../customers/service.ts'
import { type BillingLinks, RETURN_PATH } from '../links/service.ts'
import { unwrapPayment } from '../provider/payment-result.ts'
import type { Sync } from '../sync/service.ts'

type Dependencies = {
  sql: Pool
  sync: Sync
  customers: Customers
  links: BillingLinks
  audit: Audit
  publicUrl: string
}

export type Portal = ReturnType<typeof createPortal>

/** One-time links to the provider's pages for the card, the invoices and the cancellation. */
export function createPortal({ sql, sync, customers, links, audit, publicUrl }: Dependencies) {
  return {
    async issueLink(payments: Payments, { organizationId, initiator }: Principal): Promise<{ portal_url: string }> {
      await customers.ensure(payments, organizationId)
      return sql.begin(async (tx) => {
        const target = { type: 'subscription', id: organizationId }
        await audit.record(tx, { organizationId, initiator, action: 'subscription.portal_link_created', target })
        return { portal_url: await links.issue(tx, organizationId, 'portal') }
      })
    },

    /** Throws if the link is unknown, used or expired. Does not use it. */
    async checkLink(token: string): Promise<void> {
      await links.find(token, 'portal')
    },

    /** Uses the link. The provider's session is created only now, because it expires within minutes. */
    async openSession(payments: Payments, token: string): Promise<string> {
      return links.use(token, 'portal', async ({ organizationId }) => {
        // A customer whose plan is paid is replaced only by what the provider's state says.
        await sync.refresh(organizationId)
        const open = (customerId: string) => payments.openPortal({ customerId, returnUrl: publicUrl + RETURN_PATH })
        return unwrapPayment(await customers.callFor(payments, organizationId, open)).url
      })
    },
  }
}
