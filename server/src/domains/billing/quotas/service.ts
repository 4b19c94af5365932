import type { Clock } from '../../../kernel/clock.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Payments } from '../../../payments/payments.ts'
import { limitsOf, type Quota } from '../plans/plans.ts'
import type { SubscriptionView, UsageView } from '../subscriptions/schemas.ts'
import { usagePeriod } from '../usage/period.ts'
import type { Usage } from '../usage/service.ts'
import * as store from './store.ts'

const NOUNS: Record<Quota, string> = { channels: 'channels', webhook_endpoints: 'webhook endpoints' }

type Dependencies = {
  sql: Pool
  now: Clock
  usage: Usage
  /** Undefined where billing is off. */
  payments: Payments | undefined
}

export type Billing = ReturnType<typeof createBilling>

/** Plans, and what they leave room for. */
export function createBilling({ sql, now, usage, payments }: Dependencies) {
  const isOn = payments !== undefined

  async function usageOf(organizationId: string, room: store.Room): Promise<UsageView> {
    const subscription = await store.findSubscription(sql, organizationId)
    const { start, end } = usagePeriod(subscription, now())
    const { channels, webhook_endpoints } = room
    const counted = await usage.since(organizationId, start)
    return { period_start: start, period_end: end, channels, webhook_endpoints, ...counted }
  }

  return {
    isOn,

    /** The payment provider, for what cannot be done without one. */
    provider(): Payments {
      if (payments) return payments
      throw new AppError('BILLING_OFF', 'Billing is off on this installation: there are no limits and nothing to buy.')
    },

    /** Refuses one more of what the plan limits. Exact: nobody else counts until the caller's transaction ends. */
    async reserve(tx: Tx, organizationId: string, quota: Quota): Promise<void> {
      if (!isOn) return
      await store.lockQuota(tx, organizationId, quota)
      const room = await store.findRoom(tx, organizationId)
      if (quota === 'channels' && room.status === 'suspended') throw suspended()
      const [limit, used] = [limitIn(room, quota), room[quota]]
      if (used < limit) return
      const message = `Your plan has room for ${limit} ${NOUNS[quota]}, and ${used} are in use. Delete one, or buy more room.`
      throw new AppError('QUOTA_EXCEEDED', message, { details: { quota, limit, used } })
    },

    async subscription(organizationId: string): Promise<SubscriptionView> {
      const row = await store.findSubscription(sql, organizationId)
      const room = await store.findRoom(sql, organizationId)
      const quota = (name: Quota) => ({ limit: isOn ? limitIn(room, name) : null, used: room[name] })
      const { plan, status, addons } = room
      return {
        subscription: {
          ...{ plan, status, addons },
          current_period_end: row?.current_period_end ?? null,
          cancels_at: row?.cancels_at ?? null,
        },
        quotas: { channels: quota('channels'), webhook_endpoints: quota('webhook_endpoints') },
        usage: await usageOf(organizationId, room),
      }
    },

    async usage(organizationId: string): Promise<UsageView> {
      return usageOf(organizationId, await store.findRoom(sql, organizationId))
    },
  }
}

function limitIn(room: store.Room, quota: Quota): number {
  const limit = limitsOf(room)[quota]
  return Math.min(limit, room[`${quota}_cap`] ?? limit)
}

/** Nothing new and nothing out, until the open invoice is paid. What comes in still comes in. */
export function suspended(): AppError {
  const message = 'The subscription is suspended for an unpaid invoice. Pay it in the billing portal.'
  return new AppError('SUBSCRIPTION_SUSPENDED', message)
}
