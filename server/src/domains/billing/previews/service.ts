import type { Clock } from '../../../kernel/clock.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { invalidRequest, toIssue } from '../../../kernel/errors.ts'
import type { ProviderSubscription } from '../../../payments/payments.ts'
import * as store from './store.ts'

export const PREVIEW_SECONDS = 600

export type Previews = ReturnType<typeof createPreviews>

/**
 * Previewed amounts. A previewed amount is charged exactly if the change uses the same proration date within ten
 * minutes, and nothing else was charged in between.
 */
export function createPreviews({ sql, now }: { sql: Pool; now: Clock }) {
  return {
    /** The moment from which a change is prorated: now, or the date of a preview. In whole seconds, as Stripe's. */
    async chooseDate(
      organizationId: string,
      subscription: ProviderSubscription,
      previewedDate?: string,
    ): Promise<string> {
      const { periodStart } = subscription
      if (previewedDate === undefined) return chooseLater(toWholeSecond(now()), periodStart)
      const prorationDate = new Date(previewedDate).toISOString()
      const basis = buildBasis(subscription)
      const preview = { organizationId, prorationDate, basis, withinSeconds: PREVIEW_SECONDS }
      // The provider refuses a date before the period.
      const isInPeriod = chooseLater(prorationDate, periodStart) === prorationDate
      if (isInPeriod && (await store.wasPreviewed(sql, preview))) return prorationDate
      throw invalidRequest('proration_date_invalid', { issues: [toIssue('/proration_date', 'without_preview')] })
    },

    async remember(organizationId: string, subscription: ProviderSubscription, prorationDate: string): Promise<void> {
      await store.insertPreview(sql, { organizationId, prorationDate, basis: buildBasis(subscription) })
    },

    async deleteOld(): Promise<void> {
      await store.deleteOldPreviews(sql, PREVIEW_SECONDS)
    },
  }
}

/** Changes with every charge, because each creates an invoice. */
function buildBasis({ id, latestInvoiceId }: ProviderSubscription): string {
  return `${id} ${latestInvoiceId}`
}

function toWholeSecond(date: Date): string {
  return new Date(Math.floor(date.getTime() / 1000) * 1000).toISOString()
}

/** The provider's clock may be ahead of the hub's: now may then be before the start of the period. */
function chooseLater(date: string, periodStart: string | null): string {
  return periodStart !== null && periodStart > date ? periodStart : date
}
