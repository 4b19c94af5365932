import { AppError } from '../../../kernel/errors.ts'
import type { Entitlement } from './entitlement.ts'
import { computeLimits, PAID_PLANS, PLAN_NAMES, PLANS, type Plan, QUOTA_NOUNS, QUOTAS, type Quota } from './plans.ts'

const EXTENSIBLE_PLANS = PLAN_NAMES.filter((plan) => PLANS[plan].addonsMax > 0).join(' or ')
const UNPAID = 'Pay the open invoice in the billing portal first.'

/** Throws unless the plan may have `total` additional connections: at most its maximum, and enough for what is in use. */
export function requireAddonEligibility(
  { plan, status }: Entitlement,
  used: Record<Quota, number>,
  total: number,
): void {
  const { channels, addonsMax } = PLANS[plan]
  if (addonsMax === 0) throw addonNotAllowed(`Additional connections need another plan: ${EXTENSIBLE_PLANS}.`, 0, 0)
  const min = Math.max(0, used.channels - channels)
  if (status !== 'active') throw addonNotAllowed(UNPAID, min, addonsMax)
  if (total > addonsMax) {
    const message = `Your plan allows up to ${addonsMax} additional connections. Set a lower total.`
    throw addonNotAllowed(message, min, addonsMax)
  }
  if (total < min) {
    const message = `${used.channels} channels are in use. Delete channels first, or set a higher total.`
    throw addonNotAllowed(message, min, addonsMax)
  }
}

function addonNotAllowed(message: string, min: number, max: number): AppError {
  return new AppError('ADDON_NOT_ALLOWED', message, { details: { min, max } })
}

/** Throws unless a subscriber may change to `plan`: another plan, whose limits cover what is in use. */
export function requirePlanEligibility(
  { plan: current, status, addons }: Entitlement,
  used: Record<Quota, number>,
  plan: Plan,
): void {
  if (current === plan) {
    const others = PAID_PLANS.filter((other) => other !== plan).join(' or ')
    throw checkoutNotAllowed(`You already have this plan. Choose another one: ${others}.`)
  }
  if (current === 'free' && status === 'active') {
    const message = 'Your subscription is not for a plan of this hub. Contact the operator of this installation.'
    throw checkoutNotAllowed(message)
  }
  if (current === 'free') throw checkoutNotAllowed('Your subscription has ended. Request a new checkout.')
  if (status !== 'active') throw checkoutNotAllowed(UNPAID)
  const { addonsMax } = PLANS[plan]
  if (addons > addonsMax) {
    throw checkoutNotAllowed(`That plan allows up to ${addonsMax} additional connections. Lower their total first.`)
  }
  const limits = computeLimits({ plan, addons })
  for (const quota of QUOTAS) {
    if (used[quota] <= limits[quota]) continue
    const [limit, inUse] = [`${limits[quota]} ${QUOTA_NOUNS[quota]}`, used[quota]]
    throw checkoutNotAllowed(`That plan allows ${limit}, and ${inUse} are in use. Delete some first.`)
  }
}

function checkoutNotAllowed(message: string): AppError {
  return new AppError('CHECKOUT_NOT_ALLOWED', message)
}
