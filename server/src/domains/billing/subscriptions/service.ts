import type { Clock } from '../../../kernel/clock.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { deleteTenantRows } from '../../../kernel/db/tenant-rows.ts'
import type { Logger } from '../../../kernel/logger.ts'
import type { Payments } from '../../../payments/payments.ts'
import { listOpenSubscriptions, type SubscriptionStatus } from '../plans/entitlement.ts'
import { unwrapPayment } from '../provider/payment-result.ts'
import type { Quotas } from '../quotas/service.ts'
import type { QuotaRow } from '../quotas/store.ts'
import type { Sync } from '../sync/service.ts'
import { computeUsagePeriod } from '../usage/period.ts'
import type { Usage } from '../usage/service.ts'
import type { SubscriptionView, UsageView } from './schemas.ts'
import * as store from './store.ts'

/** For the statement that reserves sends. */
export const { buildSuspensions } = store

/** All that billing has of an organization. Deltas first: the fold moves them into the totals. */
const TABLES = [
  'usage_deltas',
  'usage_totals',
  'billing_requests',
  'billing_previews',
  'billing_links',
  'former_customers',
  'subscriptions',
]

const RENEWING: readonly SubscriptionStatus[] = ['active', 'past_due', 'suspended']

type Dependencies = {
  sql: Pool
  now: Clock
  logger: Logger
  payments: Payments | undefined
  quotas: Quotas
  usage: Usage
  sync: Pick<Sync, 'refresh'>
}

export type Subscriptions = ReturnType<typeof createSubscriptions>

/** Shows an organization its plan, its limits and its usage. */
export function createSubscriptions({ sql, now, logger, payments, quotas, usage, sync }: Dependencies) {
  async function buildUsage(
    organizationId: string,
    period: store.SubscriptionPeriod | undefined,
    { channels, webhook_endpoints }: QuotaRow,
  ): Promise<UsageView> {
    const { start, end } = computeUsagePeriod(period, now())
    const counters = await usage.readCounters(organizationId, start)
    return { period_start: start, period_end: end, channels, webhook_endpoints, ...counters }
  }

  async function findPeriod(organizationId: string) {
    return quotas.isEnforced ? store.findPeriod(sql, organizationId) : undefined
  }

  return {
    async show(organizationId: string): Promise<SubscriptionView> {
      const period = await findPeriod(organizationId)
      const row = await quotas.read(sql, organizationId)
      return {
        subscription: {
          plan: row.plan,
          status: row.status,
          addons: row.addons,
          current_period_end: period?.current_period_end ?? null,
          cancels_at: period?.cancels_at ?? null,
        },
        quotas: quotas.describe(row),
        usage: await buildUsage(organizationId, period, row),
      }
    },

    /** Returns true if the payment provider will charge the organization again. A subscription that ends with its period is paid to the end. */
    async renews(organizationId: string): Promise<boolean> {
      if (!quotas.isEnforced) return false
      await sync.refresh(organizationId)
      const period = await store.findPeriod(sql, organizationId)
      return period !== undefined && RENEWING.includes(period.status) && period.cancels_at === null
    },

    /**
     * Ends all for which the payment provider could still charge an organization that is being deleted: checkouts, which
     * may be open in a browser, and subscriptions. Nothing is refunded. Can be repeated.
     */
    async endAll(organizationId: string): Promise<void> {
      if (!payments) return
      const { openCheckouts } = await sync.refresh(organizationId)
      for (const { id } of openCheckouts) await payments.expireCheckoutSession(id)
      const state = await sync.refresh(organizationId)
      for (const { id, cancelsAt } of listOpenSubscriptions(state)) {
        if (cancelsAt === null) {
          logger.warn(
            { organization_id: organizationId, subscription: id },
            'subscription of a deleted organization canceled',
          )
        }
        unwrapPayment(await payments.cancelSubscription(id))
      }
      if (state.openCheckouts.length > 0) throw new Error('A checkout of a deleted organization is still open')
    },

    /** A batch; 0 when nothing is left. */
    deleteOfOrganization: (organizationId: string) => deleteTenantRows(sql, TABLES, organizationId),

    async showUsage(organizationId: string): Promise<UsageView> {
      const period = await findPeriod(organizationId)
      return buildUsage(organizationId, period, await quotas.read(sql, organizationId))
    },
  }
}
