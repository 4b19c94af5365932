import { AppError } from '../../../kernel/errors.ts'
import type { Standing } from './entitlement.ts'
import { limitsOf, PLANS, type Plan, type Quota } from './plans.ts'

/** Total of additional connections that a plan can have: no fewer than what is in use needs. */
export function refuseAddons({ plan, status }: Standing, used: Record<Quota, number>, total: number): void {
  const { channels, addonsMax } = PLANS[plan]
  if (addonsMax === 0) throw notAllowed('Additional connections need the Starter or the Pro plan.', 0, 0)
  if (status !== 'active') throw notAllowed('Pay the open invoice in the billing portal first.', 0, 0)
  const min = Math.max(0, used.channels - channels)
  if (total > addonsMax)
    throw notAllowed(`Your plan takes up to ${addonsMax} additional connections. Set fewer.`, min, addonsMax)
  if (total < min) {
    throw notAllowed(`${used.channels} channels are in use. Delete channels to need fewer connections.`, min, addonsMax)
  }
}

function notAllowed(message: string, min: number, max: number): AppError {
  return new AppError('ADDON_NOT_ALLOWED', message, { details: { min, max } })
}

const NO_PLAN = {
  none: 'There is no plan to change any more. Ask for a new checkout.',
  foreign: 'You are subscribed to something that is no plan here. Ask the operator of this installation.',
}

/** Whoever is subscribed may change to another plan in which all that is there has room. */
export function refusePlan({ plan: own, status, addons }: Standing, used: Record<Quota, number>, plan: Plan): void {
  if (own === plan) throw checkoutNotAllowed('This is your plan already. Choose the other one.')
  if (own === 'free') throw checkoutNotAllowed(NO_PLAN[status === 'active' ? 'foreign' : 'none'])
  if (status !== 'active') throw checkoutNotAllowed('Pay the open invoice in the billing portal first.')
  if (addons > PLANS[plan].addonsMax) {
    const max = PLANS[plan].addonsMax
    throw checkoutNotAllowed(`That plan takes up to ${max} additional connections. Lower their number first.`)
  }
  const limits = limitsOf({ plan, addons })
  for (const [quota, noun] of [
    ['channels', 'channels'],
    ['webhook_endpoints', 'webhook endpoints'],
  ] as const) {
    if (used[quota] <= limits[quota]) continue
    throw checkoutNotAllowed(
      `That plan has room for ${limits[quota]} ${noun}, and ${used[quota]} are in use. Delete some first.`,
    )
  }
}

function checkoutNotAllowed(message: string): AppError {
  return new AppError('CHECKOUT_NOT_ALLOWED', message)
}
