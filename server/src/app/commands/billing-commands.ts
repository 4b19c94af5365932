import { providerKey } from '../../domains/billing/idempotency/service.ts'
import { CATALOGUE, isPaidPlan, type PaidPlan } from '../../domains/billing/plans/plans.ts'
import { answerOf } from '../../domains/billing/provider/payment-result.ts'
import type { Config } from '../config/config.ts'
import { PAYMENT_CALLBACK_PATH } from '../config/payment-settings.ts'
import type { Context } from '../context.ts'
import type { Installation } from '../installation.ts'
import { withSimulator } from '../with-sandbox.ts'
import { UsageError } from './usage-error.ts'

/** Of which the provider is to tell. The hub asks for itself what has happened; any of these makes it ask. */
const CALLBACK_EVENTS = [
  ...['checkout.session.completed', 'checkout.session.expired', 'customer.deleted'],
  ...['created', 'updated', 'deleted', 'paused', 'resumed', 'pending_update_applied', 'pending_update_expired'].map(
    (what) => `customer.subscription.${what}`,
  ),
  ...['invoice.paid', 'invoice.payment_failed', 'invoice.voided'],
]

/** Makes what is missing in the operator's account, and says what only the operator can do there. */
export async function setUpBilling(context: Context, config: Config, installation: Installation) {
  const payments = context.billing.provider()
  return withSimulator(config, installation, async () => {
    const { prices, portal } = answerOf(await payments.setUp(CATALOGUE))
    const callback = { callback_url: config.publicUrl + PAYMENT_CALLBACK_PATH, events: CALLBACK_EVENTS }
    return { prices, portal_configuration: portal, ...callback }
  })
}

/** A plan for a new organization. Only a simulated card can be charged without a person. */
export function planOption(plan: string | undefined, { billing }: Config): PaidPlan | undefined {
  if (plan === undefined || plan === 'free') return undefined
  if (!isPaidPlan(plan)) throw new UsageError('--plan must be one of free, starter, pro')
  if (billing !== 'sandbox') throw new UsageError(`--plan buys in the sandbox, and billing is ${billing} here`)
  return plan
}

export async function buyPlan(context: Context, organizationId: string, plan: PaidPlan): Promise<void> {
  const { billing, customers, prices, sync } = context
  const payments = billing.provider()
  const customerId = await customers.ensure(payments, organizationId)
  const price = await prices.find(payments, plan)
  const key = providerKey({ organizationId, route: 'create-organization', key: plan })
  answerOf(await payments.subscribeWithTestCard({ customerId, price }, key))
  await sync.sync(organizationId)
}
