import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, strictObject, Timestamp } from '../../../kernel/http/schemas.ts'
import { STATUSES } from '../plans/entitlement.ts'
import { PAID_PLANS, PLANS, type Plan } from '../plans/plans.ts'

const Amount = Type.Integer({ description: 'In minor units of the currency; what is credited is negative' })
const Currency = Type.String({ description: 'Three lower-case letters' })
const Count = Type.Integer({ minimum: 0 })

export const KeyHeaders = Type.Object({
  'idempotency-key': Type.String({
    minLength: 8,
    maxLength: 200,
    description: 'Your own name of this request. The same key and body are done once.',
  }),
})

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
  limit: nullable(Type.Integer({ description: 'Null where there is none' })),
  used: Count,
})

export const SubscriptionView = Type.Object({
  subscription: Type.Object({
    plan: oneOf(Object.keys(PLANS) as Plan[]),
    status: oneOf(STATUSES),
    addons: Type.Integer({ description: 'Additional connections' }),
    current_period_end: nullable(Timestamp),
    cancels_at: nullable(Timestamp),
  }),
  quotas: Type.Object({ channels: QuotaView, webhook_endpoints: QuotaView }),
  usage: UsageView,
})
export type SubscriptionView = Static<typeof SubscriptionView>

export const SubscriptionAnswer = Type.Object({ data: SubscriptionView })
export const UsageAnswer = dataOf({ usage: UsageView })

const Total = Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Additional connections in all' })

export const AddonsBody = strictObject({
  total: Total,
  proration_date: Type.Optional(
    Type.String({ format: 'date-time', description: 'That of a preview of the last ten minutes' }),
  ),
})
export type AddonsBody = Static<typeof AddonsBody>

export const AddonsView = Type.Object({
  total: Type.Integer(),
  status: oneOf(['active', 'pending_payment']),
  amount_due: Amount,
  currency: Currency,
})
export type AddonsView = Static<typeof AddonsView>
export const AddonsAnswer = dataOf({ addons: AddonsView })

export const PreviewBody = strictObject({ total: Total })
export type PreviewBody = Static<typeof PreviewBody>

export const PreviewView = Type.Object({
  total: Type.Integer(),
  amount_due: Amount,
  currency: Currency,
  proration_date: Timestamp,
})
export type PreviewView = Static<typeof PreviewView>
export const PreviewAnswer = dataOf({ preview: PreviewView })

export const CheckoutBody = strictObject({ plan: oneOf(PAID_PLANS) })
export const CheckoutView = Type.Object({ checkout_url: Type.String({ format: 'uri' }) })
export type CheckoutView = Static<typeof CheckoutView>
export const CheckoutAnswer = Type.Object({ data: CheckoutView })

export const PortalAnswer = dataOf({ portal_url: Type.String({ format: 'uri', description: 'Works once' }) })
