import type { Pool } from '../../../kernel/db/pool.ts'
import type { Payments } from '../../../payments/payments.ts'
import type { Audit } from '../../audit/service.ts'
import type { Principal } from '../../auth/principal.ts'
import type { Customers } from '../customers/service.ts'
import { type BillingLinks, RETURN_PATH } from '../links/service.ts'
import { answerOf } from '../provider/payment-result.ts'

type Dependencies = { sql: Pool; customers: Customers; links: BillingLinks; audit: Audit; publicUrl: string }

export type Portal = ReturnType<typeof createPortal>

/** The provider's own pages for the card, the invoices and the cancellation, behind a link that works once. */
export function createPortal({ sql, customers, links, audit, publicUrl }: Dependencies) {
  return {
    async issueLink(payments: Payments, { organizationId, act }: Principal): Promise<{ portal_url: string }> {
      await customers.ensure(payments, organizationId)
      return sql.begin(async (tx) => {
        const target = { type: 'subscription', id: organizationId }
        await audit.record(tx, { organizationId, act, action: 'subscription.portal_link_created', target })
        return { portal_url: await links.issue(tx, organizationId, 'portal') }
      })
    },

    /** Only a look: whoever asks without wanting to go there leaves the link as it is. */
    async check(token: string): Promise<void> {
      await links.find(token, 'portal')
    },

    /** The provider's session is made when somebody goes there: it lives for minutes itself. */
    async enter(payments: Payments, token: string): Promise<string> {
      return links.spend(token, 'portal', async ({ organizationId }) => {
        const open = (customerId: string) => payments.openPortal({ customerId, returnUrl: publicUrl + RETURN_PATH })
        return answerOf(await customers.ask(payments, organizationId, open)).url
      })
    },
  }
}
