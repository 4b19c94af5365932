import { buildProviderKey } from '../../domains/billing/idempotency/service.ts'
import { CATALOG } from '../../domains/billing/plans/catalog.ts'
import { isPaidPlan, type PaidPlan, PLAN_NAMES } from '../../domains/billing/plans/plans.ts'
import { unwrapPayment } from '../../domains/billing/provider/payment-result.ts'
import { PAYMENT_CALLBACK_PATH } from '../../domains/billing/sync/callbacks/routes.ts'
import type { Config } from '../config/config.ts'
import type { Context } from '../context.ts'
import type { Installation } from '../installation.ts'
import { withSimulator } from './running-services.ts'
import { UsageError } from './usage-error.ts'

/** The events that the provider must send. Each makes the hub fetch the customer. */
const CALLBACK_EVENTS = [
  'checkout.session.completed',
  'checkout.session.expired',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.pending_update_applied',
  'customer.subscription.pending_update_expired',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.voided',
]

/** Creates what is missing in the operator's account, and prints the webhook that the operator must register there. */
export async function setUpBilling(context: Context, config: Config, installation: Installation) {
  const payments = context.billing.require()
  return withSimulator(config, installation, async () => {
    const { prices, portal } = unwrapPayment(await payments.createCatalog(CATALOG))
    const callback = { callback_url: config.publicUrl + PAYMENT_CALLBACK_PATH, events: CALLBACK_EVENTS }
    return { prices, portal_configuration: portal, ...callback }
  })
}

/** The plan of a new organization. Only a simulated card can be charged without a person. */
export function readPlanOption(plan: string | undefined, { billing }: Config): PaidPlan | undefined {
  if (plan === undefined || plan === 'free') return undefined
  if (!isPaidPlan(plan)) throw new UsageError(`--plan must be one of ${PLAN_NAMES.join(', ')}`)
  if (billing !== 'sandbox') throw new UsageError(`--plan works with BILLING=sandbox only, and BILLING is ${billing}`)
  return plan
}

export async function buyPlan(context: Context, organizationId: string, plan: PaidPlan): Promise<void> {
  const { billing, customers, prices, sync } = context
  const payments = billing.require()
  const customerId = await customers.ensure(payments, organizationId)
  const price = await prices.find(payments, plan)
  const key = buildProviderKey({ organizationId, route: 'create-organization', key: plan })
  unwrapPayment(await payments.subscribeWithTestCard({ customerId, price }, key))
  await sync.refresh(organizationId)
}
