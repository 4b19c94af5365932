import { resealColumn } from '../../../kernel/crypto/reseal.ts'
import type { Sealing } from '../../../kernel/crypto/sealing.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { AppError, invalidRequest, notFound } from '../../../kernel/errors.ts'
import { toApiError } from '../../../upstream/api-error.ts'
import type { UpstreamFailure } from '../../../upstream/http/errors.ts'
import { listChanges } from '../../audit/changes.ts'
import type { Initiator } from '../../audit/initiator.ts'
import type { Audit } from '../../audit/service.ts'
import type { Publish } from '../../webhooks/publishing/service.ts'
import type { NumberFacts } from '../number-facts.ts'
import * as numbers from '../numbers-store.ts'
import type { Channel } from '../schemas.ts'
import { STATUS_EVENT, type StatusChange } from '../status.ts'
import * as store from '../store.ts'
import { toChannel, toChannelEventData } from '../view.ts'
import { ACCESS_TOKEN, createAccessTokens } from './access-tokens.ts'
import { assignNumber, type ChannelKey, isConnectedElsewhere, numberAlreadyConnected } from './number-ownership.ts'

export type NewConnection = NumberFacts & {
  phoneNumberId: string
  wabaId: string
  coexistence: boolean
  accessToken: string
}

/** The number, account and token with which the hub calls the upstream for a channel. */
export type Credential = { phoneNumberId: string; wabaId: string; token: string }

type Dependencies = { sql: Pool; sealing: Sealing; publish: Publish; audit: Audit; graphUrl: string }

export type ChannelConnections = ReturnType<typeof createChannelConnections>

/** The connection between a channel and its number: establishes it, reads its credential, and updates its health. */
export function createChannelConnections({ sql, sealing, publish, audit, graphUrl }: Dependencies) {
  const tokens = createAccessTokens(sealing)

  async function publishStatusChange(
    tx: Tx,
    key: ChannelKey,
    before: store.ChannelRow,
    row: store.ChannelRow,
    reason: string | null,
  ) {
    if (row.status === before.status || row.status === 'pending') return
    const { organizationId, id: channelId } = key
    const kind = STATUS_EVENT[row.status]
    await publish(tx, [{ organizationId, kind, channelId, data: toChannelEventData(row, reason) }])
  }

  return {
    readToken: tokens.read,

    async find(key: ChannelKey): Promise<store.ChannelRow> {
      const row = await store.findChannel(sql, key)
      if (!row) throw notFound('channel_not_found')
      return row
    },

    async isConnectedElsewhere(key: ChannelKey, phoneNumberId: string): Promise<boolean> {
      return sql.begin(async (tx) => isConnectedElsewhere(tx, key, await numbers.lockNumber(tx, phoneNumberId)))
    },

    /** An early check, before any upstream change; `establish` repeats it under the locks. */
    async requireFreeNumber(key: ChannelKey, phoneNumberId: string): Promise<void> {
      requireSameNumber(await this.find(key), phoneNumberId)
      if (await this.isConnectedElsewhere(key, phoneNumberId)) throw numberAlreadyConnected()
    },

    /** Throws if the channel was never connected, is disconnected, or has a token that no key decrypts. */
    async credential(organizationId: string, id: string): Promise<Credential> {
      return this.openCredential(organizationId, await this.find({ organizationId, id }))
    },

    /** The same for a channel that was read already. */
    openCredential(organizationId: string, row: store.ChannelRow): Credential {
      const hasConnection = row.status !== 'pending' && row.status !== 'disconnected' && row.access_token !== null
      if (!hasConnection || !row.phone_number_id || !row.waba_id) {
        throw new AppError('CHANNEL_NOT_CONNECTED', 'not_connected')
      }
      const token = tokens.read(organizationId, row)
      if (!token) throw credentialUnreadable()
      return { phoneNumberId: row.phone_number_id, wabaId: row.waba_id, token }
    },

    /** Stores the connection with the encrypted token. The caller has completed every upstream step. */
    async establish(
      tx: Tx,
      key: ChannelKey,
      connection: NewConnection,
      initiator: Initiator,
      metadata: Record<string, unknown> | null = null,
    ): Promise<Channel> {
      const before = await store.lockChannel(tx, key)
      // A deletion in progress would deregister or lose the number.
      if (!before || before.is_being_deleted) throw notFound('channel_not_found')
      requireSameNumber(before, connection.phoneNumberId)
      await assignNumber(tx, key, connection)
      const { accessToken, ...facts } = connection
      const sealedToken = tokens.seal(key, accessToken)
      const row = await store.markConnected(tx, key, { ...facts, status: 'active', sealedToken })
      const { organizationId, id: channelId } = key
      const data = { ...toChannelEventData(row, null), ...(metadata && { metadata }) }
      await publish(tx, [{ organizationId, kind: 'channel.connected', channelId, data }])
      await audit.record(tx, {
        organizationId: key.organizationId,
        initiator,
        action: 'channel.connected',
        target: { type: 'channel', id: key.id },
        details: {
          ...selectNumber(row),
          changes: listChanges(
            { status: before.status, ...selectNumber(before) },
            { status: row.status, ...selectNumber(row) },
          ),
        },
      })
      return toChannel(row, graphUrl)
    },

    /**
     * Stores the upstream's response to a call with `token`, and changes the status where the response states one.
     * Ignores responses to a token that was replaced meanwhile. A channel that lost its number to another channel stays
     * disconnected.
     */
    async apply(
      key: ChannelKey,
      token: string,
      health: { change: StatusChange | null; subscribedOk: boolean | null; facts: NumberFacts | null },
    ): Promise<void> {
      const { change, subscribedOk, facts } = health
      await sql.begin(async (tx) => {
        const before = await store.lockChannel(tx, key)
        if (!before || before.status === 'pending' || before.phone_number_id === null) return
        if (tokens.read(key.organizationId, before) !== token) return
        const owner = await numbers.lockNumber(tx, before.phone_number_id)
        const isOurs = owner?.channel_id === key.id
        // A connected number does not end a restriction of the account.
        const isAccountRestricted = before.is_restricted && change?.status === 'active'
        const status = isOurs && change && !isAccountRestricted ? change.status : before.status
        const row = await store.updateHealth(tx, key, { ...NO_FACTS, ...facts, status, subscribedOk })
        await publishStatusChange(tx, key, before, row, change?.reason ?? null)
      })
    },

    /** The upstream refused the token. */
    async disconnectRefused(key: ChannelKey, token: string): Promise<void> {
      const change: StatusChange = { status: 'disconnected', reason: 'credential_refused' }
      await this.apply(key, token, { change, subscribedOk: null, facts: null })
    },

    /** Throws the API error of an upstream failure; a refused credential also disconnects the channel. */
    async fail(key: ChannelKey, token: string, failure: UpstreamFailure): Promise<never> {
      if (failure.isCredentialRefused) await this.disconnectRefused(key, token)
      throw toApiError(failure)
    },

    async reseal() {
      return resealColumn(sql, sealing, ACCESS_TOKEN)
    },
  }
}

/** After a restore without its sealing keys a channel is connected, and its credential is lost. */
export function credentialUnreadable(): AppError {
  return new AppError('CHANNEL_NOT_CONNECTED', 'credential_unreadable')
}

const NO_FACTS: NumberFacts = {
  displayPhoneNumber: null,
  verifiedName: null,
  qualityRating: null,
  throughputLevel: null,
}

function requireSameNumber({ phone_number_id: own }: store.ChannelRow, phoneNumberId: string): void {
  if (own === null || own === phoneNumberId) return
  throw invalidRequest('other_number')
}

function selectNumber({ phone_number_id, waba_id, coexistence }: store.ChannelRow) {
  return { phone_number_id, waba_id, coexistence }
}
