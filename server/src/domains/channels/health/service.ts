import type { Pool } from '../../../kernel/db/pool.ts'
import type { UpstreamFailure } from '../../../upstream/http/errors.ts'
import { isSubscribed } from '../../../upstream/resources/accounts.ts'
import type { Upstream } from '../../../upstream/upstream.ts'
import type { Act } from '../../audit/act.ts'
import type { Connections } from '../connection/service.ts'
import type { Deletions } from '../deletion/service.ts'
import { factsOf } from '../number-facts.ts'
import { type Verdict, verdictOfNumber } from '../status.ts'
import * as store from '../store.ts'

const CHECK_EVERY_SECONDS = 3600
const CHECKS_AT_ONCE = 10
const BATCH = 50

/** The Graph's answer for an object that is gone, or that the token may not see any more. */
const OBJECT_GONE = { code: 100, error_subcode: 33 }

const SYSTEM: Act = { actor: { type: 'system', id: null, name: null }, ip: null, requestId: null }

type Key = { organizationId: string; id: string }

type Dependencies = {
  sql: Pool
  upstream: Upstream
  appId: string
  connections: Connections
  deletions: Deletions
  pendingChannelDays: number
}

export type Health = ReturnType<typeof createHealth>

/** Looks after channels that nobody looks at: token, number and subscription, and sign-ups that were given up. */
export function createHealth({ sql, upstream, appId, connections, deletions, pendingChannelDays }: Dependencies) {
  /** Whether the hub's app gets the account's callbacks; subscribes again where it does not. Null: no answer. */
  async function keepSubscribed(token: string, wabaId: string): Promise<boolean | null> {
    const listed = await upstream.accounts.listSubscriptions(token, wabaId)
    if (!listed.ok) return null
    if (isSubscribed(listed.value, appId)) return true
    const again = await upstream.accounts.subscribe(token, wabaId)
    if (again.ok) return true
    return again.failure.kind === 'refused' ? false : null
  }

  async function check(key: Key): Promise<void> {
    const row = await store.findChannel(sql, key)
    const token = row && connections.readToken(key.organizationId, row)
    if (!row?.phone_number_id || !row.waba_id || !token) return
    const number = await upstream.phoneNumbers.get(token, row.phone_number_id)
    if (!number.ok) {
      const verdict = verdictOfFailure(number.failure)
      return verdict ? connections.apply(key, token, { verdict, subscribedOk: null, facts: null }) : undefined
    }
    const subscribedOk = await keepSubscribed(token, row.waba_id)
    const verdict = verdictOf(verdictOfNumber(number.value.status), subscribedOk)
    await connections.apply(key, token, { verdict, subscribedOk, facts: factsOf(number.value) })
  }

  return {
    check,

    /** One round over the channels that are due, a few at a time. */
    async checkDue(): Promise<void> {
      const due = await store.claimUnchecked(sql, { everySeconds: CHECK_EVERY_SECONDS, limit: BATCH })
      for (let i = 0; i < due.length; i += CHECKS_AT_ONCE) {
        const keys = due.slice(i, i + CHECKS_AT_ONCE)
        await Promise.all(keys.map(({ organization_id, id }) => check({ organizationId: organization_id, id })))
      }
    },

    /** A sign-up that was given up frees its slot. */
    async archiveAbandoned(): Promise<void> {
      const abandoned = await store.listAbandoned(sql, { days: pendingChannelDays, limit: BATCH })
      for (const { organization_id, id } of abandoned) {
        await deletions.archivePending({ organizationId: organization_id, id }, SYSTEM)
      }
    },
  }
}

/** Only a definite word about the credential or the number counts; anything else says nothing about the channel. */
export function verdictOfFailure(failure: UpstreamFailure): Verdict | null {
  if (failure.isCredentialRefused) return { status: 'disconnected', reason: 'credential_refused' }
  const isGone = failure.code === OBJECT_GONE.code && failure.error_subcode === OBJECT_GONE.error_subcode
  return failure.kind === 'refused' && isGone ? { status: 'disconnected', reason: 'number_gone' } : null
}

function verdictOf(number: Verdict | null, subscribedOk: boolean | null): Verdict | null {
  if (number?.status === 'active' && subscribedOk === false) {
    return { status: 'degraded', reason: 'subscription_lost' }
  }
  // Without an answer on the subscription a channel that was degraded for it must not come back.
  if (number?.status === 'active' && subscribedOk === null) return null
  return number
}
