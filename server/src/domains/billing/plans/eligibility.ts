import { AppError } from '../../../kernel/errors.ts'
import type { Entitlement } from './entitlement.ts'
import { computeLimits, PAID_PLANS, PLAN_NAMES, PLANS, type Plan, QUOTAS, type Quota } from './plans.ts'

const EXTENSIBLE_PLANS = PLAN_NAMES.filter((plan) => PLANS[plan].addonsMax > 0).join(', ')

/** Throws unless the plan may have `total` additional connections: at most its maximum, and enough for what is in use. */
export function requireAddonEligibility(
  { plan, status }: Entitlement,
  used: Record<Quota, number>,
  total: number,
): void {
  const { channels, addonsMax } = PLANS[plan]
  if (addonsMax === 0)
    throw new AppError('ADDON_NOT_ALLOWED', 'connections_of_another_plan', {
      parameters: { plans: EXTENSIBLE_PLANS },
      details: { min: 0, max: 0 },
    })
  const min = Math.max(0, used.channels - channels)
  const details = { min, max: addonsMax }
  if (status !== 'active') throw new AppError('ADDON_NOT_ALLOWED', 'invoice_open', { details })
  if (total > addonsMax) {
    throw new AppError('ADDON_NOT_ALLOWED', 'too_many_connections', { parameters: { maximum: addonsMax }, details })
  }
  if (total < min) {
    throw new AppError('ADDON_NOT_ALLOWED', 'too_few_connections', { parameters: { used: used.channels }, details })
  }
}

/** Throws unless a subscriber may change to `plan`: another plan, whose limits cover what is in use. */
export function requirePlanEligibility(
  { plan: current, status, addons }: Entitlement,
  used: Record<Quota, number>,
  plan: Plan,
): void {
  if (current === plan) {
    const others = PAID_PLANS.filter((other) => other !== plan).join(', ')
    throw new AppError('CHECKOUT_NOT_ALLOWED', 'same_plan', { parameters: { plans: others } })
  }
  if (current === 'free' && status === 'active') {
    throw new AppError('CHECKOUT_NOT_ALLOWED', 'foreign_plan')
  }
  if (current === 'free') throw new AppError('CHECKOUT_NOT_ALLOWED', 'subscription_ended')
  if (status !== 'active') throw new AppError('CHECKOUT_NOT_ALLOWED', 'invoice_open')
  const { addonsMax } = PLANS[plan]
  if (addons > addonsMax) {
    const parameters = { maximum: addonsMax }
    throw new AppError('CHECKOUT_NOT_ALLOWED', 'plan_with_fewer_connections', { parameters })
  }
  const limits = computeLimits({ plan, addons })
  for (const quota of QUOTAS) {
    if (used[quota] <= limits[quota]) continue
    const parameters = { limit: limits[quota], used: used[quota] }
    throw new AppError('CHECKOUT_NOT_ALLOWED', `plan_with_fewer_${quota}`, { parameters })
  }
}
