import type { Clock } from '../../../kernel/clock.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import type { Quotas } from '../quotas/service.ts'
import type { QuotaRow } from '../quotas/store.ts'
import { computeUsagePeriod } from '../usage/period.ts'
import type { Usage } from '../usage/service.ts'
import type { SubscriptionView, UsageView } from './schemas.ts'
import * as store from './store.ts'

type Dependencies = { sql: Pool; now: Clock; quotas: Quotas; usage: Usage }

export type Subscriptions = ReturnType<typeof createSubscriptions>

/** Shows an organization its plan, its limits and its usage. */
export function createSubscriptions({ sql, now, quotas, usage }: Dependencies) {
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
        quotas: {
          channels: quotas.describe(row, 'channels'),
          webhook_endpoints: quotas.describe(row, 'webhook_endpoints'),
        },
        usage: await buildUsage(organizationId, period, row),
      }
    },

    async showUsage(organizationId: string): Promise<UsageView> {
      const period = await findPeriod(organizationId)
      return buildUsage(organizationId, period, await quotas.read(sql, organizationId))
    },
  }
}
