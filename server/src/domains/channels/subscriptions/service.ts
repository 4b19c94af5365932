import type { Pool } from '../../../kernel/db/pool.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Result, UpstreamFailure } from '../../../upstream/http/errors.ts'
import { isSubscribed } from '../../../upstream/resources/accounts.ts'
import type { Success } from '../../../upstream/resources/success.ts'
import type { Upstream } from '../../../upstream/upstream.ts'
import * as numbers from '../numbers-store.ts'

/** The address at which a hub that is one of several cells takes the callbacks of its own numbers. */
export type Cell = { mark: string; callbackUrl: string; verifyToken: string }

/** The place where the messages of a number arrive, and its address. `isOwn`: it is the number's own, and this cell's. */
export type Receiver = { at: 'app' | 'this-cell' | 'elsewhere'; url: string | null; isOwn: boolean; cell: string }

/** `receiver` is null if the hub is no cell: then the address of the app takes everything. */
export type AccountSubscription = { isSubscribed: boolean; receiver: Receiver | null }

/** The failure because of which an address stays; all are null without a response of the upstream. */
type AddressLeft = Pick<UpstreamFailure, 'code' | 'title' | 'fbtrace_id'>

type NumberIds = { wabaId: string; phoneNumberId: string }

type Dependencies = { sql: Pool; upstream: Upstream; appId: string; cell: Cell | undefined }

export type AccountSubscriptions = ReturnType<typeof createAccountSubscriptions>

/**
 * The subscriptions of the app to the callbacks of accounts. A cell has the callbacks that can be sent elsewhere than to the
 * app's address sent to its own, for each of its numbers alone: an address of the account would also take the messages of
 * the account's other numbers, which may be connected in another cell.
 */
export function createAccountSubscriptions({ sql, upstream, appId, cell }: Dependencies) {
  async function findReceiver(token: string, phoneNumberId: string): Promise<Result<Receiver | null>> {
    if (!cell) return { ok: true, value: null }
    const found = await upstream.phoneNumbers.getCallbackUrls(token, phoneNumberId)
    if (!found.ok) return found
    const { phone_number, whatsapp_business_account, application } = found.value
    // The number's own address comes before that of its account.
    const own = phone_number ?? whatsapp_business_account
    const isOwn = phone_number === cell.callbackUrl
    if (own === null) return { ok: true, value: { at: 'app', url: application, isOwn, cell: cell.mark } }
    const at = own === cell.callbackUrl ? 'this-cell' : 'elsewhere'
    return { ok: true, value: { at, url: own, isOwn, cell: cell.mark } }
  }

  async function find(token: string, { wabaId, phoneNumberId }: NumberIds): Promise<Result<AccountSubscription>> {
    const [listed, receiver] = await Promise.all([
      upstream.accounts.listSubscriptions(token, wabaId),
      findReceiver(token, phoneNumberId),
    ])
    if (!listed.ok) return listed
    if (!receiver.ok) return receiver
    return { ok: true, value: { isSubscribed: isSubscribed(listed.value, appId), receiver: receiver.value } }
  }

  /** A channel may be deleted meanwhile, after which nothing else would remove the address. */
  async function claim({ callbackUrl, verifyToken }: Cell, token: string, phoneNumberId: string) {
    const claimed = await upstream.phoneNumbers.setCallbackUrl(token, phoneNumberId, { callbackUrl, verifyToken })
    if (claimed.ok && !(await numbers.hasNumber(sql, phoneNumberId))) {
      await upstream.phoneNumbers.removeCallbackUrl(token, phoneNumberId, callbackUrl)
    }
    return claimed
  }

  async function restore(own: Cell, token: string, phoneNumberId: string): Promise<void> {
    const found = await findReceiver(token, phoneNumberId)
    if (found.ok && found.value?.at === 'app') await claim(own, token, phoneNumberId)
  }

  /** Returns true if this hub receives the callbacks, after subscribing again if needed, and null without a response. */
  async function keep(token: string, ids: NumberIds): Promise<boolean | null> {
    const found = await find(token, ids)
    if (!found.ok) return null
    const { isSubscribed: isComplete, receiver } = found.value
    if (receiver?.at === 'elsewhere') return false
    if (!isComplete) {
      const again = await upstream.accounts.subscribe(token, ids.wabaId)
      if (!again.ok) return again.failure.kind === 'refused' ? false : null
    }
    // If the upstream refuses the address, messages still come to the app's.
    if (cell && receiver && !receiver.isOwn) await claim(cell, token, ids.phoneNumberId)
    return true
  }

  return {
    find,
    keep,
    ownUrl: cell?.callbackUrl ?? null,

    /**
     * Subscribes to an account before its number is connected. The address of a cell is set afterwards, by `receiveHere`: a
     * connection that fails has none.
     */
    async subscribe(token: string, ids: NumberIds): Promise<Result<Success>> {
      if (!cell) return upstream.accounts.subscribe(token, ids.wabaId)
      const found = await find(token, ids)
      if (!found.ok) return found
      if (found.value.receiver?.at === 'elsewhere') {
        throw new AppError('NUMBER_ALREADY_CONNECTED', 'account_connected_elsewhere')
      }
      // Another subscription would remove an address that the account has.
      if (found.value.isSubscribed) return { ok: true, value: { success: true } }
      return upstream.accounts.subscribe(token, ids.wabaId)
    },

    /** After a number was connected. Where this fails, the hourly check sets the address. */
    async receiveHere(token: string, ids: NumberIds): Promise<void> {
      if (cell) await keep(token, ids)
    },

    /** For operators: the address that receives the messages of a number. */
    findReceiver,

    /** Sends the messages of a number to this cell, or does nothing without one. */
    async claim(token: string, phoneNumberId: string): Promise<Result<Success>> {
      return cell ? claim(cell, token, phoneNumberId) : { ok: true, value: { success: true } }
    },

    /**
     * After the channel of a number was deleted: without the address of this cell the number can be connected in another
     * one. Returns the failure that leaves the address where it is. Without a token nobody can ask the upstream.
     */
    async release(token: string | undefined, phoneNumberId: string): Promise<AddressLeft | undefined> {
      if (!cell || (await numbers.hasNumber(sql, phoneNumberId))) return undefined
      if (token === undefined) return { code: null, title: null, fbtrace_id: null }
      const removed = await upstream.phoneNumbers.removeCallbackUrl(token, phoneNumberId, cell.callbackUrl)
      // Another channel of this cell may have connected the number meanwhile, and have found the address in its place.
      if (await numbers.hasNumber(sql, phoneNumberId)) await restore(cell, token, phoneNumberId)
      return removed.ok ? undefined : removed.failure
    },
  }
}
