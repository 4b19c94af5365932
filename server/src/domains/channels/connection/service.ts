import { BoundedMap } from '../../../kernel/bounded-map.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { resealColumn } from '../../../kernel/crypto/reseal.ts'
import type { SealedColumn, SealedPlace, Sealing } from '../../../kernel/crypto/sealing.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { AppError, invalidRequest, notFound } from '../../../kernel/errors.ts'
import { toApiError } from '../../../upstream/api-error.ts'
import type { UpstreamFailure } from '../../../upstream/http/errors.ts'
import type { Act } from '../../audit/act.ts'
import type { Audit } from '../../audit/service.ts'
import type { NewEvent } from '../../events/catalogue.ts'
import type { Publish } from '../../webhooks/publishing/service.ts'
import type { NumberFacts } from '../number-facts.ts'
import * as numbers from '../numbers-store.ts'
import type { Channel } from '../schemas.ts'
import { STATUS_EVENT, type Verdict } from '../status.ts'
import * as store from '../store.ts'
import { channelEventData, channelView } from '../view.ts'
import { type Heard, hear, type Word } from '../words.ts'
import * as heardStore from '../words-store.ts'

type Key = { organizationId: string; id: string }

const ACCESS_TOKEN: SealedColumn = { table: 'channels', column: 'access_token' }
const OPENED_MAX = 1000

export type NewConnection = NumberFacts & {
  phoneNumberId: string
  wabaId: string
  coexistence: boolean
  accessToken: string
}

/** With what the hub acts upstream for a channel. */
export type Credential = { phoneNumberId: string; wabaId: string; token: string }

type Dependencies = { sql: Pool; now: Clock; sealing: Sealing; publish: Publish; audit: Audit }

export type Connections = ReturnType<typeof createConnections>

/** The tie between a channel and its number: made, used, lost and made again. */
export function createConnections({ sql, now, sealing, publish, audit }: Dependencies) {
  /** Whether another channel is connected to the number. Only under the number's lock does the answer stay true. */
  async function isTakenFrom(tx: Tx, { id }: Key, holder: numbers.NumberHolder | undefined): Promise<boolean> {
    return holder !== undefined && holder.channel_id !== id && (await numbers.isHolderConnected(tx, holder))
  }

  /** The number belongs to one channel; a disconnected one yields it. */
  async function takeNumber(tx: Tx, key: Key, c: NewConnection): Promise<void> {
    const { phoneNumberId, wabaId } = c
    const displayDigits = (c.displayPhoneNumber ?? '').replace(/\D/g, '')
    const number = { phoneNumberId, wabaId, displayDigits, organizationId: key.organizationId, channelId: key.id }
    if (await numbers.insertNumber(tx, number)) return
    const holder = await numbers.lockNumber(tx, phoneNumberId)
    // Its holder was deleted between the two statements: now there is room.
    if (!holder) return takeNumber(tx, key, c)
    if (await isTakenFrom(tx, key, holder)) throw numberTaken()
    await numbers.moveNumber(tx, number)
  }

  async function tell(tx: Tx, key: Key, before: store.ChannelRow, row: store.ChannelRow, reason: string | null) {
    if (row.status === before.status || row.status === 'pending') return
    const { organizationId, id: channelId } = key
    const kind = STATUS_EVENT[row.status]
    await publish(tx, [{ organizationId, kind, channelId, data: channelEventData(row, reason) }])
  }

  /** Opening a seal costs more than the rest of a busy channel's send: those of late stay open. */
  const opened = new BoundedMap<string, string>(OPENED_MAX)

  function readToken(organizationId: string, row: { id: string; access_token: string | null }): string | undefined {
    if (row.access_token === null) return undefined
    const name = `${organizationId} ${row.id} ${row.access_token}`
    const token = opened.get(name) ?? sealing.open(row.access_token, tokenPlace(organizationId, row.id))
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

    /** A first look, before anything is changed upstream; `establish` decides, under the locks. */
    async refuseNumber(key: Key, phoneNumberId: string): Promise<void> {
      refuseOther(await this.find(key), phoneNumberId)
      if (await this.isTaken(key, phoneNumberId)) throw numberTaken()
    },

    /** Refuses where there is nothing to act with: never connected, disconnected, or a token that no key opens. */
    async credential(organizationId: string, id: string): Promise<Credential> {
      const row = await this.find({ organizationId, id })
      const token = readToken(organizationId, row)
      if (row.status === 'pending' || row.status === 'disconnected' || !row.phone_number_id || !row.waba_id || !token) {
        throw new AppError('CHANNEL_NOT_CONNECTED', 'The channel is not connected. Connect it with a new link.')
      }
      return { phoneNumberId: row.phone_number_id, wabaId: row.waba_id, token }
    },

    /** Ties the number to the channel and seals the token. The caller has done every upstream step before. */
    async establish(tx: Tx, key: Key, connection: NewConnection, act: Act): Promise<Channel> {
      const before = await store.lockChannel(tx, key)
      // A number that is connected now would be deregistered, or lost, by a deletion that has begun.
      if (!before || before.is_being_deleted) throw notFound('Channel')
      refuseOther(before, connection.phoneNumberId)
      await takeNumber(tx, key, connection)
      const { accessToken, ...facts } = connection
      const sealedToken = sealing.seal(accessToken, tokenPlace(key.organizationId, key.id))
      const row = await store.markConnected(tx, key, { ...facts, status: 'active', sealedToken })
      const { organizationId, id: channelId } = key
      await publish(tx, [{ organizationId, kind: 'channel.connected', channelId, data: channelEventData(row, null) }])
      await audit.record(tx, {
        organizationId: key.organizationId,
        act,
        action: 'channel.connected',
        target: { type: 'channel', id: key.id },
        details: { phone_number_id: row.phone_number_id, waba_id: row.waba_id, coexistence: row.coexistence },
      })
      return channelView(row)
    },

    /**
     * Writes down what the upstream said when it was asked with `token`, and
     * moves the status where that was explicit. What was said of a token that
     * has been replaced since is of no interest. A channel that lost its number
     * to another while it was disconnected stays so, whatever its old token
     * still sees.
     */
    async apply(
      key: Key,
      token: string,
      change: { verdict: Verdict | null; subscribedOk: boolean | null; facts: NumberFacts | null },
    ): Promise<void> {
      const { verdict, subscribedOk, facts } = change
      await sql.begin(async (tx) => {
        const before = await store.lockChannel(tx, key)
        if (!before || before.status === 'pending' || before.phone_number_id === null) return
        if (readToken(key.organizationId, before) !== token) return
        const holder = await numbers.lockNumber(tx, before.phone_number_id)
        const isOurs = holder?.channel_id === key.id
        // A number that is well says nothing about an account that is not.
        const isOverruled = before.is_held && verdict?.status === 'active'
        const status = isOurs && verdict && !isOverruled ? verdict.status : before.status
        const row = await store.updateHealth(tx, key, { ...NO_FACTS, ...facts, status, subscribedOk })
        await tell(tx, key, before, row, verdict?.reason ?? null)
      })
    },

    /** Moves channels by what the upstream says of their account or number on its own account, in the order of its words. */
    async hear(tx: Tx, words: Word[]): Promise<void> {
      if (words.length === 0) return
      const byChannel = Map.groupBy(words, ({ channelId }) => channelId)
      const rows = await heardStore.lockHeard(tx, [...byChannel.values()].flatMap(keyOf))
      const holders = new Set((await heardStore.lockHolders(tx, rows)).map(({ channel_id }) => channel_id))
      const own = rows.filter(({ id }) => holders.has(id))
      if (own.length === 0) return
      const heard = own.map((row) => listen(row, byChannel.get(row.id) ?? [], now()))
      await heardStore.updateHeard(
        tx,
        heard.map(({ after }) => after),
      )
      await publish(
        tx,
        heard.flatMap(({ moves }) => moves),
      )
    },

    /** Turns an upstream failure into the caller's error; a dead credential also disconnects the channel. */
    async fail(key: Key, token: string, failure: UpstreamFailure): Promise<never> {
      if (failure.isCredentialRefused) {
        const verdict: Verdict = { status: 'disconnected', reason: 'credential_refused' }
        await this.apply(key, token, { verdict, subscribedOk: null, facts: null })
      }
      throw toApiError(failure)
    },

    async reseal() {
      return resealColumn(sql, sealing, ACCESS_TOKEN)
    },
  }
}

function keyOf([word]: Word[]): Key[] {
  return word ? [{ organizationId: word.organizationId, id: word.channelId }] : []
}

/** What a channel is after the words, and an event for each status that it came into on the way. */
function listen(row: heardStore.HeardRow, words: Word[], now: Date) {
  const { organization_id: organizationId, id: channelId } = row
  let heard: Heard = { ...row, verifiedName: row.verified_name }
  const moves: NewEvent[] = []
  for (const word of words.toSorted((a, b) => a.saidAt - b.saidAt)) {
    const after = hear(heard, word, now.getTime())
    const { status, verifiedName: verified_name } = after
    if (status !== heard.status && status !== 'pending' && word.about !== 'name') {
      const data = channelEventData({ ...row, status, verified_name }, word.verdict.reason)
      moves.push({ organizationId, kind: STATUS_EVENT[status], channelId, data })
    }
    heard = after
  }
  return { after: { ...heard, organizationId, id: channelId }, moves }
}

const NO_FACTS: NumberFacts = { displayPhoneNumber: null, verifiedName: null, qualityRating: null }

function tokenPlace(organizationId: string, rowId: string): SealedPlace {
  return { ...ACCESS_TOKEN, organizationId, rowId }
}

function refuseOther({ phone_number_id: own }: store.ChannelRow, phoneNumberId: string): void {
  if (own === null || own === phoneNumberId) return
  throw invalidRequest('This channel was connected before, and takes only the same number again.')
}

/** Nobody is told whose: that would show that another tenant exists. */
function numberTaken(): AppError {
  return new AppError('NUMBER_ALREADY_CONNECTED', 'This number is connected to another channel already.')
}
