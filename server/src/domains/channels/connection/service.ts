import { BoundedMap } from '../../../kernel/bounded-map.ts'
import { resealColumn } from '../../../kernel/crypto/reseal.ts'
import type { SealedColumn, SealedPlace, Sealing } from '../../../kernel/crypto/sealing.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { AppError, invalidRequest, notFound } from '../../../kernel/errors.ts'
import { toApiError } from '../../../upstream/api-error.ts'
import type { UpstreamFailure } from '../../../upstream/http/errors.ts'
import type { Act } from '../../audit/act.ts'
import type { Audit } from '../../audit/service.ts'
import type { Publish } from '../../webhooks/publishing/service.ts'
import type { NumberFacts } from '../number-facts.ts'
import * as numbers from '../numbers-store.ts'
import type { Channel } from '../schemas.ts'
import { STATUS_EVENT, type StatusChange } from '../status.ts'
import * as store from '../store.ts'
import { toChannel, toChannelEventData } from '../view.ts'

type Key = { organizationId: string; id: string }

const ACCESS_TOKEN: SealedColumn = { table: 'channels', column: 'access_token' }
const OPENED_MAX = 1000

export type NewConnection = NumberFacts & {
  phoneNumberId: string
  wabaId: string
  coexistence: boolean
  accessToken: string
}

/** The number, account and token with which the hub calls the upstream for a channel. */
export type Credential = { phoneNumberId: string; wabaId: string; token: string }

type Dependencies = { sql: Pool; sealing: Sealing; publish: Publish; audit: Audit }

export type ChannelConnections = ReturnType<typeof createChannelConnections>

/** The connection between a channel and its number: establishes it, reads its credential, and updates its health. */
export function createChannelConnections({ sql, sealing, publish, audit }: Dependencies) {
  /** Whether another channel is connected to the number. The result holds only under the number's lock. */
  async function isTakenFrom(tx: Tx, { id }: Key, holder: numbers.NumberHolder | undefined): Promise<boolean> {
    return holder !== undefined && holder.channel_id !== id && (await numbers.isHolderConnected(tx, holder))
  }

  /** A number belongs to one channel; a disconnected channel loses it to the next one that connects it. */
  async function takeNumber(tx: Tx, key: Key, c: NewConnection): Promise<void> {
    const { phoneNumberId, wabaId } = c
    const displayDigits = (c.displayPhoneNumber ?? '').replace(/\D/g, '')
    const number = { phoneNumberId, wabaId, displayDigits, organizationId: key.organizationId, channelId: key.id }
    if (await numbers.insertNumber(tx, number)) return
    const holder = await numbers.lockNumber(tx, phoneNumberId)
    // The holder was deleted between the two statements, so the insert works now.
    if (!holder) return takeNumber(tx, key, c)
    if (await isTakenFrom(tx, key, holder)) throw numberTaken()
    await numbers.moveNumber(tx, number)
  }

  async function publishStatusChange(
    tx: Tx,
    key: Key,
    before: store.ChannelRow,
    row: store.ChannelRow,
    reason: string | null,
  ) {
    if (row.status === before.status || row.status === 'pending') return
    const { organizationId, id: channelId } = key
    const kind = STATUS_EVENT[row.status]
    await publish(tx, [{ organizationId, kind, channelId, data: toChannelEventData(row, reason) }])
  }

  /** Decrypting a token costs more CPU than the rest of a send, so recent tokens are cached. */
  const opened = new BoundedMap<string, string>(OPENED_MAX)

  function readToken(organizationId: string, row: { id: string; access_token: string | null }): string | undefined {
    if (row.access_token === null) return undefined
    const name = `${organizationId} ${row.id} ${row.access_token}`
    const token = opened.get(name) ?? sealing.open(row.access_token, toSealedPlace(organizationId, row.id))
    if (token === undefined) return undefined
    opened.set(name, token)
    return token
  }

  return {
    readToken,

    async find(key: Key): Promise<store.ChannelRow> {
      const row = await store.findChannel(sql, key)
      if (!row) throw notFound('Channel')
      return row
    },

    async isTaken(key: Key, phoneNumberId: string): Promise<boolean> {
      return sql.begin(async (tx) => isTakenFrom(tx, key, await numbers.lockNumber(tx, phoneNumberId)))
    },

    /** An early check, before any upstream change; `establish` repeats it under the locks. */
    async refuseNumber(key: Key, phoneNumberId: string): Promise<void> {
      refuseOtherNumber(await this.find(key), phoneNumberId)
      if (await this.isTaken(key, phoneNumberId)) throw numberTaken()
    },

    /** Throws if the channel was never connected, is disconnected, or has a token that no key decrypts. */
    async credential(organizationId: string, id: string): Promise<Credential> {
      const row = await this.find({ organizationId, id })
      const token = readToken(organizationId, row)
      if (row.status === 'pending' || row.status === 'disconnected' || !row.phone_number_id || !row.waba_id || !token) {
        throw new AppError('CHANNEL_NOT_CONNECTED', 'The channel is not connected. Connect it with a new link.')
      }
      return { phoneNumberId: row.phone_number_id, wabaId: row.waba_id, token }
    },

    /** Stores the connection with the encrypted token. The caller has completed every upstream step. */
    async establish(tx: Tx, key: Key, connection: NewConnection, act: Act): Promise<Channel> {
      const before = await store.lockChannel(tx, key)
      // A deletion in progress would deregister or lose the number.
      if (!before || before.is_being_deleted) throw notFound('Channel')
      refuseOtherNumber(before, connection.phoneNumberId)
      await takeNumber(tx, key, connection)
      const { accessToken, ...facts } = connection
      const sealedToken = sealing.seal(accessToken, toSealedPlace(key.organizationId, key.id))
      const row = await store.markConnected(tx, key, { ...facts, status: 'active', sealedToken })
      const { organizationId, id: channelId } = key
      await publish(tx, [{ organizationId, kind: 'channel.connected', channelId, data: toChannelEventData(row, null) }])
      await audit.record(tx, {
        organizationId: key.organizationId,
        act,
        action: 'channel.connected',
        target: { type: 'channel', id: key.id },
        details: { phone_number_id: row.phone_number_id, waba_id: row.waba_id, coexistence: row.coexistence },
      })
      return toChannel(row)
    },

    /**
     * Stores what the upstream answered to a call with `token`, and changes the status where the
     * answer was explicit. Answers to a token that was replaced meanwhile are ignored. A channel
     * that lost its number to another channel stays disconnected.
     */
    async apply(
      key: Key,
      token: string,
      health: { change: StatusChange | null; subscribedOk: boolean | null; facts: NumberFacts | null },
    ): Promise<void> {
      const { change, subscribedOk, facts } = health
      await sql.begin(async (tx) => {
        const before = await store.lockChannel(tx, key)
        if (!before || before.status === 'pending' || before.phone_number_id === null) return
        if (readToken(key.organizationId, before) !== token) return
        const holder = await numbers.lockNumber(tx, before.phone_number_id)
        const isOurs = holder?.channel_id === key.id
        // A connected number does not end a restriction of the account.
        const isAccountHeld = before.is_held && change?.status === 'active'
        const status = isOurs && change && !isAccountHeld ? change.status : before.status
        const row = await store.updateHealth(tx, key, { ...NO_FACTS, ...facts, status, subscribedOk })
        await publishStatusChange(tx, key, before, row, change?.reason ?? null)
      })
    },

    /** Throws the API error of an upstream failure; a refused credential also disconnects the channel. */
    async fail(key: Key, token: string, failure: UpstreamFailure): Promise<never> {
      if (failure.isCredentialRefused) {
        const change: StatusChange = { status: 'disconnected', reason: 'credential_refused' }
        await this.apply(key, token, { change, subscribedOk: null, facts: null })
      }
      throw toApiError(failure)
    },

    async reseal() {
      return resealColumn(sql, sealing, ACCESS_TOKEN)
    },
  }
}

const NO_FACTS: NumberFacts = { displayPhoneNumber: null, verifiedName: null, qualityRating: null }

function toSealedPlace(organizationId: string, rowId: string): SealedPlace {
  return { ...ACCESS_TOKEN, organizationId, rowId }
}

function refuseOtherNumber({ phone_number_id: own }: store.ChannelRow, phoneNumberId: string): void {
  if (own === null || own === phoneNumberId) return
  throw invalidRequest('This channel was connected before, and takes only the same number again.')
}

/** Without the other channel's name: it would reveal another organization. */
function numberTaken(): AppError {
  return new AppError('NUMBER_ALREADY_CONNECTED', 'This number is connected to another channel already.')
}
