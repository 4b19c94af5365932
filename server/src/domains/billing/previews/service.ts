import type { Clock } from '../../../kernel/clock.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { invalidRequest } from '../../../kernel/errors.ts'
import type { ProviderSubscription } from '../../../payments/payments.ts'
import * as store from './store.ts'

const PREVIEW_SECONDS = 600

export type Previews = ReturnType<typeof createPreviews>

/**
 * Amounts that were shown: each holds for a while, if the change is charged as
 * of the same moment, and if nothing else was charged in between.
 */
export function createPreviews({ sql, now }: { sql: Pool; now: Clock }) {
  return {
    /**
     * The moment from which on a change is charged for: now, or one that was shown
     * with its amount a moment ago. Whole seconds, as the provider has them.
     */
    async dateOf(organizationId: string, subscription: ProviderSubscription, given?: string): Promise<string> {
      const { periodStart } = subscription
      if (given === undefined) return latest(wholeSecond(now()), periodStart)
      const prorationDate = new Date(given).toISOString()
      const basis = basisOf(subscription)
      const preview = { organizationId, prorationDate, basis, withinSeconds: PREVIEW_SECONDS }
      // The provider goes back to the beginning of the period, and not behind it.
      const isOfPeriod = latest(prorationDate, periodStart) === prorationDate
      if (isOfPeriod && (await store.wasPreviewed(sql, preview))) return prorationDate
      const message = 'is not that of a preview of the last ten minutes after which nothing was charged'
      throw invalidRequest(`The proration_date ${message}. Preview again.`, [{ path: '/proration_date', message }])
    },

    async remember(organizationId: string, subscription: ProviderSubscription, prorationDate: string): Promise<void> {
      await store.insertPreview(sql, { organizationId, prorationDate, basis: basisOf(subscription) })
    },

    async forgetOld(): Promise<void> {
      await store.deleteOldPreviews(sql, PREVIEW_SECONDS)
    },
  }
}

function basisOf({ id, latestInvoiceId }: ProviderSubscription): string {
  return `${id} ${latestInvoiceId}`
}

function wholeSecond(date: Date): string {
  return new Date(Math.floor(date.getTime() / 1000) * 1000).toISOString()
}

/** The provider's clock may be a little ahead, and nothing is charged for before the period began. */
function latest(date: string, periodStart: string | null): string {
  return periodStart !== null && periodStart > date ? periodStart : date
}
