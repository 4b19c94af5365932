import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../../../kernel/db/pool.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { UpstreamFailure } from '../../../upstream/http/errors.ts'
import type { Upstream } from '../../../upstream/upstream.ts'
import type { Initiator } from '../../audit/initiator.ts'
import type { Audit } from '../../audit/service.ts'
import type { Auth } from '../../auth/service.ts'
import type { ConnectLinks } from '../../connect-links/service.ts'
import type { Endpoints } from '../../webhooks/endpoints/service.ts'
import type { Publish } from '../../webhooks/publishing/service.ts'
import type { ChannelConnections } from '../connection/service.ts'
import { DEREGISTRATION_VALUES, type Deregistration } from '../deregistration.ts'
import * as numbers from '../numbers-store.ts'
import * as store from '../store.ts'
import type { AccountSubscriptions } from '../subscriptions/service.ts'
import { toChannelEventData } from '../view.ts'

/** Longer than the upstream's time limit. */
const CLAIM_SECONDS = 90
const CLAIM_POLL_MS = 50

/** The upstream's error for a number that is not registered: the deregistration is already done. */
const NOT_REGISTERED_SUBCODE = 2_207_051

/** `failure` is the upstream's, if the deregistration failed. */
type DeregistrationResult = { outcome: Deregistration; failure?: UpstreamFailure }

const NOT_REQUESTED: DeregistrationResult = { outcome: 'not-requested' }

type Key = { organizationId: string; id: string }

type Dependencies = {
  sql: Pool
  upstream: Upstream
  connections: ChannelConnections
  auth: Auth
  connectLinks: ConnectLinks
  endpoints: Endpoints
  publish: Publish
  audit: Audit
  subscriptions: AccountSubscriptions
}

export type Deletions = ReturnType<typeof createDeletions>

export function createDeletions(deps: Dependencies) {
  const { sql, upstream, connections, auth, connectLinks, endpoints, publish, audit, subscriptions } = deps

  /**
   * Deregisters the number at the upstream. A refusal is an outcome, and the deletion continues.
   * The call is skipped if another channel owns the number by now, or another cell has it: it must not lose it.
   */
  async function deregister(organizationId: string, row: store.ChannelRow): Promise<DeregistrationResult> {
    const { id: channelId, phone_number_id: phoneNumberId } = row
    if (phoneNumberId === null) return { outcome: 'no-number' }
    const token = connections.readToken(organizationId, row)
    const isOurs = await numbers.isNumberOwner(sql, { phoneNumberId, organizationId, channelId })
    if (token === undefined || !isOurs) return { outcome: 'no-credential' }
    const receiver = await subscriptions.findReceiver(token, phoneNumberId)
    if (receiver.ok && receiver.value?.at === 'elsewhere') return { outcome: 'no-credential' }
    const result = await upstream.phoneNumbers.deregister(token, phoneNumberId)
    if (result.ok || result.failure.error_subcode === NOT_REGISTERED_SUBCODE) return { outcome: 'done' }
    return { outcome: 'failed', failure: result.failure }
  }

  /** The number that a deletion lets go of, with its token if a key opens it. None if the channel has lost its number to another one. */
  async function findHeldNumber(organizationId: string, row: store.ChannelRow) {
    const { id: channelId, phone_number_id: phoneNumberId } = row
    const token = connections.readToken(organizationId, row)
    if (phoneNumberId === null) return undefined
    const isOurs = await numbers.isNumberOwner(sql, { phoneNumberId, organizationId, channelId })
    return isOurs ? { token, phoneNumberId } : undefined
  }

  /** Lets another cell connect the number. A failure is audited: somebody has to remove the address at the upstream. */
  async function release(
    { organizationId, id }: Key,
    { token, phoneNumberId }: { token: string | undefined; phoneNumberId: string },
    initiator: Initiator,
  ): Promise<void> {
    const failure = await subscriptions.release(token, phoneNumberId)
    if (!failure) return
    const { code, title, fbtrace_id } = failure
    const details = { phone_number_id: phoneNumberId, code, title, fbtrace_id }
    const target = { type: 'channel', id }
    await sql.begin((tx) =>
      audit.record(tx, { organizationId, initiator, action: 'channel.address_not_removed', target, details }),
    )
  }

  /**
   * In one transaction: publishes the disconnection, archives the channel, revokes its tokens, ends its links, and
   * removes it from webhook endpoints. Undefined if another deletion was first.
   */
  async function archive(
    key: Key,
    { outcome: deregistration, failure }: DeregistrationResult,
    initiator: Initiator,
    { onlyPending = false } = {},
  ): Promise<Deregistration | undefined> {
    const { organizationId, id } = key
    const channel = { organizationId, channelId: id }
    const target = { type: 'channel', id }
    return sql.begin(async (tx) => {
      const row = await store.lockChannel(tx, key)
      if (!row || (onlyPending && row.status !== 'pending')) return undefined
      if (row.status === 'active' || row.status === 'degraded') {
        const data = toChannelEventData({ ...row, status: 'disconnected' }, 'deleted')
        await publish(tx, [{ organizationId, kind: 'channel.disconnected', channelId: id, data }])
      }
      await store.markArchived(tx, key, deregistration)
      await auth.revokeChannelTokens(tx, channel)
      await connectLinks.end(tx, channel)
      await endpoints.unlinkChannel(tx, channel)
      if (failure) {
        const { code, title, fbtrace_id } = failure
        const details = { code, title, fbtrace_id }
        await audit.record(tx, { organizationId, initiator, action: 'channel.deregister_failed', target, details })
      }
      const details = { name: row.name, deregistration: DEREGISTRATION_VALUES[deregistration] }
      await audit.record(tx, { organizationId, initiator, action: 'channel.deleted', target, details })
      return deregistration
    })
  }

  /** Reads the channel again: another deletion may have changed it before this claim. */
  async function deleteClaimed(key: Key, initiator: Initiator, wantsDeregistration: boolean) {
    const row = await store.findChannel(sql, key)
    const outcome = row && wantsDeregistration ? await deregister(key.organizationId, row) : NOT_REQUESTED
    const number = row && (await findHeldNumber(key.organizationId, row))
    const archived = await archive(key, outcome, initiator)
    // Only now: until then a check sets the address again.
    if (archived && number) await release(key, number, initiator)
    if (archived) return report(archived, true)
    const first = await store.findChannelIncludingArchived(sql, key)
    return report(first?.deregistration ?? null, false)
  }

  return {
    /** A repeated deletion changes nothing and reports the first outcome. */
    async delete(
      { organizationId, initiator }: { organizationId: string; initiator: Initiator },
      id: string,
      wantsDeregistration: boolean,
    ) {
      const key = { organizationId, id }
      for (;;) {
        const channel = await store.findChannelIncludingArchived(sql, key)
        if (!channel) throw notFound('channel_not_found')
        if (channel.archived_at !== null) return report(channel.deregistration, false)
        if (await store.claimDeletion(sql, key, CLAIM_SECONDS)) break
        await sleep(CLAIM_POLL_MS)
      }
      try {
        return await deleteClaimed(key, initiator, wantsDeregistration)
      } finally {
        await store.releaseDeletion(sql, key)
      }
    },

    /**
     * Archives an abandoned sign-up, unless it completes at the same moment. Its number, if it came so far, has no address of
     * this cell, which only a connected one gets.
     */
    async archivePending(key: Key, initiator: Initiator): Promise<void> {
      await archive(key, NOT_REQUESTED, initiator, { onlyPending: true })
    },
  }
}

function report(deregistration: Deregistration | null, changed: boolean) {
  return { archived: true, changed, deregistro: DEREGISTRATION_VALUES[deregistration ?? 'not-requested'] }
}
