import type { Pool } from '../../../kernel/db/pool.ts'
import { isObjectMissing, type UpstreamFailure } from '../../../upstream/http/errors.ts'
import type { Upstream } from '../../../upstream/upstream.ts'
import { SYSTEM } from '../../audit/initiator.ts'
import type { ChannelConnections } from '../connection/service.ts'
import type { Deletions } from '../deletion/service.ts'
import { toNumberFacts } from '../number-facts.ts'
import { type StatusChange, toStatusChange } from '../status.ts'
import * as store from '../store.ts'
import type { AccountSubscriptions } from '../subscriptions/service.ts'

const CHECK_EVERY_SECONDS = 3600
const CONCURRENT_CHECKS = 10
const BATCH_SIZE = 50

type Key = { organizationId: string; id: string }

/** `rating`: only what the number is called, how it is rated and its throughput, not whether it works. */
export type CheckExtent = 'all' | 'rating'

type Dependencies = {
  sql: Pool
  upstream: Upstream
  connections: ChannelConnections
  deletions: Deletions
  subscriptions: AccountSubscriptions
  pendingChannelDays: number
}

/** Checks the token, number and subscription of channels on a schedule, and archives abandoned sign-ups. */
export function createHealth(dependencies: Dependencies) {
  const { sql, upstream, connections, deletions, subscriptions, pendingChannelDays } = dependencies

  /**
   * With the extent `rating` the status stays, unless the credential or the number is gone: right after the callback
   * that asked for it the upstream may still report the number's status of before.
   */
  async function check(key: Key, extent: CheckExtent = 'all'): Promise<void> {
    const row = await store.findChannel(sql, key)
    const token = row && connections.readToken(key.organizationId, row)
    if (!row?.phone_number_id || !row.waba_id || !token) return
    const number = await upstream.phoneNumbers.get(token, row.phone_number_id)
    if (!number.ok) {
      const change = toStatusChangeOnFailure(number.failure)
      return change ? connections.apply(key, token, { change, subscribedOk: null, facts: null }) : undefined
    }
    const facts = toNumberFacts(number.value)
    if (extent === 'rating') return connections.apply(key, token, { change: null, subscribedOk: null, facts })
    const subscribedOk = await subscriptions.keep(token, { wabaId: row.waba_id, phoneNumberId: row.phone_number_id })
    const change = combineWithSubscription(toStatusChange(number.value.status), subscribedOk)
    await connections.apply(key, token, { change, subscribedOk, facts })
  }

  return {
    check,

    /** Checks the channels that are due, a few at a time. One whose check fails is checked again after an hour. */
    async checkDue(): Promise<void> {
      const failures: unknown[] = []
      for (let count = CONCURRENT_CHECKS; count === CONCURRENT_CHECKS; ) {
        const due = await store.claimUnchecked(sql, { everySeconds: CHECK_EVERY_SECONDS, limit: CONCURRENT_CHECKS })
        const checks = due.map(({ organization_id, id }) => check({ organizationId: organization_id, id }))
        for (const result of await Promise.allSettled(checks)) {
          if (result.status === 'rejected') failures.push(result.reason)
        }
        count = due.length
      }
      if (failures.length > 0) throw failures[0]
    },

    /** An abandoned sign-up must not use up the plan's channels. */
    async archiveAbandoned(): Promise<void> {
      const abandoned = await store.listAbandoned(sql, { days: pendingChannelDays, limit: BATCH_SIZE })
      const failures: unknown[] = []
      for (const { organization_id, id } of abandoned) {
        const key = { organizationId: organization_id, id }
        await deletions.archivePending(key, SYSTEM).catch((err) => failures.push(err))
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}

/** Only an explicit response about the credential or the number counts; other failures do not change the status. */
function toStatusChangeOnFailure(failure: UpstreamFailure): StatusChange | null {
  if (failure.isCredentialRefused) return { status: 'disconnected', reason: 'credential_refused' }
  return isObjectMissing(failure) ? { status: 'disconnected', reason: 'number_gone' } : null
}

function combineWithSubscription(number: StatusChange | null, subscribedOk: boolean | null): StatusChange | null {
  if (number?.status === 'active' && subscribedOk === false) {
    return { status: 'degraded', reason: 'subscription_lost' }
  }
  // Without a response about the subscription, a channel degraded for it must stay degraded.
  if (number?.status === 'active' && subscribedOk === null) return null
  return number
}
