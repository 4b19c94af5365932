import type { Pool } from '../../../kernel/db/pool.ts'
import type { Logger } from '../../../kernel/logger.ts'
import type { CustomerState, Payments } from '../../../payments/payments.ts'
import { listChanges } from '../../audit/changes.ts'
import type { Initiator } from '../../audit/initiator.ts'
import type { Audit } from '../../audit/service.ts'
import type { Customers } from '../customers/service.ts'
import {
  chooseSubscription,
  computeEntitlement,
  type Entitlement,
  findPlanItem,
  listPaidSubscriptions,
} from '../plans/entitlement.ts'
import { unwrapPayment } from '../provider/payment-result.ts'
import * as store from './store.ts'

const PROVIDER_INITIATOR: Initiator = {
  actor: { type: 'system', id: null, name: 'payment provider' },
  ip: null,
  requestId: null,
}

const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS
const BATCH_SIZE = 50

const NO_STATE: CustomerState = { subscriptions: [], openCheckouts: [], isDeleted: false }

type Dependencies = {
  sql: Pool
  payments: Payments | undefined
  customers: Customers
  audit: Audit
  logger: Logger
}
type Observer = (outcome: 'synced' | 'failed') => void

export type Sync = ReturnType<typeof createSync>

/** The only writer of entitlements: it fetches the provider's state and stores what follows from it. */
export function createSync({ sql, payments, customers, audit, logger }: Dependencies) {
  const observers = new Set<Observer>()

  /**
   * Fetches the customer and writes the entitlement. The fetch number is taken before the request: a change at the
   * provider after it leads to a callback, and so to a fetch with a higher number. No transaction is open meanwhile.
   */
  async function refresh(organizationId: string): Promise<CustomerState> {
    const started = payments && (await store.startFetch(sql, organizationId))
    if (!started) return NO_STATE
    const fetched = await payments.fetchCustomerState(started.customer_id)
    if (!fetched.ok && fetched.failure.kind === 'customer_missing') {
      const { customer_id: customerId } = started
      if (await customers.replaceByPaying(payments, organizationId, customerId)) return refresh(organizationId)
      logger.error({ organization_id: organizationId }, 'payment provider does not know the customer')
      // An organization without a paid plan may buy one as another customer. A paid plan stays as it is.
      if (started.plan === 'free') return NO_STATE
    }
    if (!fetched.ok) notifyObservers('failed')
    const state = unwrapPayment(fetched)
    if (paysForUnknownPlan(state)) {
      // The customer has paid: a wrong price at the provider must not take away the plan.
      logger.error({ organization_id: organizationId }, 'subscription has no known price')
      return state
    }
    await write(organizationId, started.fetch_number, computeEntitlement(state))
    notifyObservers('synced')
    await closeOpenCheckouts(organizationId, state)
    return state
  }

  function notifyObservers(outcome: 'synced' | 'failed'): void {
    for (const observe of observers) observe(outcome)
  }

  async function write(organizationId: string, fetchNumber: string, entitlement: Entitlement): Promise<void> {
    await sql.begin(async (tx) => {
      const reconcileSeconds = isSettled(entitlement) ? DAY_SECONDS : HOUR_SECONDS
      const before = await store.updateEntitlement(tx, { organizationId, fetchNumber, entitlement, reconcileSeconds })
      const { plan, status, addons, cancelsAt } = entitlement
      const after = { plan, status, addons, cancels_at: cancelsAt }
      const changes = before ? listChanges({ ...before }, after) : {}
      if (Object.keys(changes).length === 0) return
      await audit.record(tx, {
        organizationId,
        initiator: PROVIDER_INITIATOR,
        action: 'subscription.changed',
        target: { type: 'subscription', id: organizationId },
        details: { from: { ...before }, to: after, changes },
      })
    })
  }

  /** A subscriber must not buy a second subscription through a checkout that is still open. */
  async function closeOpenCheckouts(organizationId: string, state: CustomerState): Promise<void> {
    const paid = listPaidSubscriptions(state)
    if (!payments || paid.length === 0) return
    for (const { id } of state.openCheckouts) await payments.expireCheckoutSession(id)
    const ids = paid.filter(findPlanItem).map(({ id }) => id)
    if (ids.length < 2) return
    logger.error(
      { organization_id: organizationId, subscriptions: ids },
      'customer pays for more than one subscription',
    )
  }

  return {
    refresh,

    observe: (observer: Observer) => void observers.add(observer),

    /** Covers lost callbacks: fetches hourly while a payment is awaited, and daily otherwise. */
    async reconcile(): Promise<void> {
      for (let count = BATCH_SIZE; payments && count === BATCH_SIZE; ) {
        const due = await store.claimDue(sql, { limit: BATCH_SIZE, retrySeconds: HOUR_SECONDS })
        for (const { organization_id: organizationId } of due) {
          try {
            await refresh(organizationId)
          } catch (err) {
            // One failed fetch must not stop the others. The claim retries it in an hour.
            logger.warn({ err, organization_id: organizationId }, 'subscription could not be reconciled')
          }
        }
        count = due.length
      }
    },
  }
}

function paysForUnknownPlan(state: CustomerState): boolean {
  const subscription = chooseSubscription(state)
  const isPaid = listPaidSubscriptions(state).length > 0
  return isPaid && subscription !== undefined && findPlanItem(subscription) === undefined
}

function isSettled({ status }: Entitlement): boolean {
  return status === 'none' || status === 'active' || status === 'canceled'
}
