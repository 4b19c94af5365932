import type { Pool } from '../../../kernel/db/pool.ts'
import type { Logger } from '../../../kernel/logger.ts'
import type { CustomerState, Payments } from '../../../payments/payments.ts'
import type { Act } from '../../audit/act.ts'
import type { Audit } from '../../audit/service.ts'
import { chosenSubscription, liveSubscriptions, planItemOf, type Standing, standingOf } from '../plans/entitlement.ts'
import { answerOf } from '../provider/payment-result.ts'
import * as store from '../quotas/store.ts'

const SYSTEM: Act = { actor: { type: 'system', id: null, name: 'payment provider' }, ip: null, requestId: null }

const HOUR = 3600
const DAY = 24 * HOUR
const BATCH = 50

const NOBODY: CustomerState = { subscriptions: [], openCheckouts: [] }

type Dependencies = { sql: Pool; payments: Payments | undefined; audit: Audit; logger: Logger }

export type Sync = ReturnType<typeof createSync>

/** The one way by which an organization's standing changes: by what the provider says when it is asked. */
export function createSync({ sql, payments, audit, logger }: Dependencies) {
  const observers = new Set<(outcome: 'synced' | 'failed') => void>()

  /**
   * Fetches and writes. The ticket is taken before the provider is asked, so
   * whatever happens there later has a later ticket, and no transaction is open
   * meanwhile. Returns what the provider said.
   */
  async function sync(organizationId: string): Promise<CustomerState> {
    const taken = payments && (await store.takeTicket(sql, organizationId))
    if (!taken) return NOBODY
    const { ticket, customer_id: customerId } = taken
    const fetched = await payments.fetchCustomer(customerId)
    const isGone = !fetched.ok && fetched.failure.kind === 'gone'
    if (!fetched.ok && !isGone) tell('failed')
    const state = isGone ? NOBODY : answerOf(fetched)
    if (isForeign(state)) {
      // Somebody has paid, and a mistake at the provider must not take from them what they had.
      logger.error(
        { organization_id: organizationId },
        'a customer pays for a subscription that is to none of our plans',
      )
      return state
    }
    await write(organizationId, ticket, standingOf(state))
    if (isGone)
      logger.warn({ organization_id: organizationId }, 'the payment provider does not know a customer of ours')
    tell('synced')
    await tidy(organizationId, state)
    return state
  }

  function tell(outcome: 'synced' | 'failed'): void {
    for (const observe of observers) observe(outcome)
  }

  async function write(organizationId: string, ticket: string, standing: Standing): Promise<void> {
    await sql.begin(async (tx) => {
      const reconcileSeconds = isSettled(standing) ? DAY : HOUR
      const before = await store.updateStanding(tx, { organizationId, ticket, standing, reconcileSeconds })
      const { plan, status, addons } = standing
      if (!before || (before.plan === plan && before.status === status && before.addons === addons)) return
      await audit.record(tx, {
        organizationId,
        act: SYSTEM,
        action: 'subscription.changed',
        target: { type: 'subscription', id: organizationId },
        details: { from: { ...before }, to: { plan, status, addons } },
      })
    })
  }

  /** Whoever is subscribed cannot buy a second subscription by a checkout that was left open. */
  async function tidy(organizationId: string, state: CustomerState): Promise<void> {
    const live = liveSubscriptions(state)
    if (!payments || live.length === 0) return
    for (const { id } of state.openCheckouts) await payments.closeCheckout(id)
    const ids = live.filter(planItemOf).map(({ id }) => id)
    if (ids.length < 2) return
    logger.error({ organization_id: organizationId, subscriptions: ids }, 'a customer pays for two subscriptions')
  }

  return {
    sync,

    observe: (observer: (outcome: 'synced' | 'failed') => void) => void observers.add(observer),

    /** For changes whose callback never came: those that wait for something hourly, the others once a day. */
    async reconcile(): Promise<void> {
      for (let count = BATCH; payments && count === BATCH; ) {
        const due = await store.claimToReconcile(sql, { limit: BATCH, againSeconds: HOUR })
        for (const { organization_id: organizationId } of due) {
          try {
            await sync(organizationId)
          } catch (err) {
            // One customer that cannot be fetched must not keep the others waiting; its turn comes again.
            logger.warn({ err, organization_id: organizationId }, 'a subscription could not be reconciled')
          }
        }
        count = due.length
      }
    },
  }
}

function isForeign(state: CustomerState): boolean {
  const own = chosenSubscription(state)
  return liveSubscriptions(state).length > 0 && own !== undefined && planItemOf(own) === undefined
}

function isSettled({ status }: Standing): boolean {
  return status === 'none' || status === 'active' || status === 'canceled'
}
