import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, Timestamp } from '../../../kernel/http/schemas.ts'
import { SUBSCRIPTION_STATUSES } from '../plans/entitlement.ts'
import { PLAN_NAMES } from '../plans/plans.ts'

const Count = Type.Integer({ minimum: 0 })

export const UsageView = Type.Object({
  period_start: Timestamp,
  period_end: Timestamp,
  channels: Count,
  webhook_endpoints: Count,
  messages_sent: Count,
  messages_received: Count,
  deliveries: Count,
})
export type UsageView = Static<typeof UsageView>

const QuotaView = Type.Object({
  limit: nullable(Type.Integer({ description: 'Null if there is no limit.' })),
  used: Count,
})

export const SubscriptionView = Type.Object({
  subscription: Type.Object({
    plan: oneOf(PLAN_NAMES),
    status: oneOf(SUBSCRIPTION_STATUSES),
    addons: Type.Integer({ description: 'The number of additional connections.' }),
    current_period_end: nullable(Timestamp),
    cancels_at: nullable(Timestamp),
  }),
  quotas: Type.Object({ channels: QuotaView, webhook_endpoints: QuotaView }),
  usage: UsageView,
})
export type SubscriptionView = Static<typeof SubscriptionView>

export const SubscriptionResponse = Type.Object({ data: SubscriptionView })
export const UsageResponse = dataOf({ usage: UsageView })
