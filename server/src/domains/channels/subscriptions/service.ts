import type { Pool } from '../../../kernel/db/pool.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Result } from '../../../upstream/http/errors.ts'
import { isSubscribed } from '../../../upstream/resources/accounts.ts'
import type { Success } from '../../../upstream/resources/success.ts'
import type { Upstream } from '../../../upstream/upstream.ts'
import * as numbers from '../numbers-store.ts'

/** The address at which a hub that is one of several cells takes the callbacks of its own accounts. */
export type Cell = { mark: string; callbackUrl: string; verifyToken: string }

/** The place where the messages of a number arrive, and its address. */
export type Receiver = { at: 'app' | 'this-cell' | 'elsewhere'; url: string | null; cell: string }

/** `receiver` is null if the hub is no cell: then the address of the app takes everything. */
export type AccountSubscription = { isSubscribed: boolean; receiver: Receiver | null }

type NumberIds = { wabaId: string; phoneNumberId: string }

type Dependencies = { sql: Pool; upstream: Upstream; appId: string; cell: Cell | undefined }

export type AccountSubscriptions = ReturnType<typeof createAccountSubscriptions>

/**
 * The subscriptions of the app to the callbacks of accounts. A cell has the callbacks that can be sent elsewhere than to the
 * app's address sent to its own. An account has one such address, so that all its numbers are in one cell.
 */
export function createAccountSubscriptions({ sql, upstream, appId, cell }: Dependencies) {
  async function findReceiver(token: string, phoneNumberId: string): Promise<Result<Receiver | null>> {
    if (!cell) return { ok: true, value: null }
    const found = await upstream.phoneNumbers.getCallbackUrls(token, phoneNumberId)
    if (!found.ok) return found
    const { phone_number, whatsapp_business_account, application } = found.value
    const overrides = [phone_number, whatsapp_business_account].filter((url) => url !== null)
    // A number can have an address of its own beside that of its account: neither may be another cell's.
    const own = overrides.find((url) => url !== cell.callbackUrl) ?? overrides[0]
    if (own === undefined) return { ok: true, value: { at: 'app', url: application, cell: cell.mark } }
    const at = own === cell.callbackUrl ? 'this-cell' : 'elsewhere'
    return { ok: true, value: { at, url: own, cell: cell.mark } }
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

  return {
    find,

    /** Subscribes to an account before its number is connected. Another cell keeps an account that it has. */
    async subscribe(token: string, { wabaId, phoneNumberId }: NumberIds): Promise<Result<Success>> {
      const receiver = await findReceiver(token, phoneNumberId)
      if (!receiver.ok) return receiver
      if (receiver.value?.at === 'elsewhere') {
        throw new AppError('NUMBER_ALREADY_CONNECTED', 'account_connected_elsewhere')
      }
      return upstream.accounts.subscribe(token, wabaId, cell)
    },

    /**
     * Returns true if this hub receives the account's callbacks, after subscribing again if needed, and null if the upstream
     * did not respond. They still come to the app's address while the upstream refuses that of the cell.
     */
    async keep(token: string, ids: NumberIds): Promise<boolean | null> {
      const found = await find(token, ids)
      if (!found.ok) return null
      const { isSubscribed: isComplete, receiver } = found.value
      if (receiver?.at === 'elsewhere') return false
      if (isComplete && receiver?.at !== 'app') return true
      const again = await upstream.accounts.subscribe(token, ids.wabaId, cell)
      if (again.ok) return true
      return again.failure.kind === 'refused' ? isComplete : null
    },

    /**
     * After the last channel of an account is deleted: without the address of this cell the account can be connected in
     * another one. A failure leaves the address, and does not stop the deletion.
     */
    async release(token: string, ids: NumberIds): Promise<void> {
      if (!cell || (await numbers.hasOtherNumbers(sql, ids))) return
      const receiver = await findReceiver(token, ids.phoneNumberId)
      if (receiver.ok && receiver.value?.at === 'this-cell') await upstream.accounts.subscribe(token, ids.wabaId)
    },
  }
}
