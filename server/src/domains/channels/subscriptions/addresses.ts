import type { Pool } from '../../../kernel/db/pool.ts'
import type { UpstreamFailure } from '../../../upstream/http/errors.ts'
import type { ChannelConnections } from '../connection/service.ts'
import * as store from '../store.ts'
import type { AccountSubscriptions, Receiver } from './service.ts'

/** The upstream answers each with one to three calls. */
const BATCH_SIZE = 10

/** `at` is null if the upstream did not say. `problem` is why the address could not be read, or set. */
type NumberAddress = {
  organization_id: string
  channel_id: string
  phone_number_id: string
  at: Receiver['at'] | null
  url: string | null
  changed: boolean
  problem: string | null
}

/** `formerUrl`: an address that was this cell's, and does not count as another one's. */
type Wish = { isSetting: boolean; formerUrl: string | undefined }

type Dependencies = { sql: Pool; connections: ChannelConnections; subscriptions: AccountSubscriptions }

export type CallbackAddresses = ReturnType<typeof createCallbackAddresses>

/** For operators: the addresses that receive the messages of all connected numbers, which depend on PUBLIC_URL. */
export function createCallbackAddresses({ sql, connections, subscriptions }: Dependencies) {
  async function visit(row: store.ConnectedChannel, { isSetting, formerUrl }: Wish): Promise<NumberAddress> {
    const { organization_id, id: channel_id, phone_number_id } = row
    const number = { organization_id, channel_id, phone_number_id }
    const unknown = { ...number, at: null, url: null, changed: false }
    const token = connections.readToken(organization_id, row)
    if (token === undefined) return { ...unknown, problem: 'no key opens the stored access token' }
    const found = await subscriptions.findReceiver(token, phone_number_id)
    if (!found.ok) return { ...unknown, problem: describe(found.failure) }
    if (found.value === null) return { ...unknown, problem: 'the hub is no cell' }
    const { at, url, isOwn } = found.value
    const before = { ...number, at, url, changed: false, problem: null }
    const isForeign = at === 'elsewhere' && url !== formerUrl
    if (!isSetting || isOwn || isForeign) return before
    const claimed = await subscriptions.claim(token, phone_number_id)
    if (!claimed.ok) return { ...before, problem: describe(claimed.failure) }
    return { ...before, at: 'this-cell', url: subscriptions.ownUrl, changed: true }
  }

  return {
    /** Looks at every connected number, and with `isSetting` gives it the address of this cell, unless it has another cell's. */
    async visitAll(wish: Wish): Promise<NumberAddress[]> {
      const visited: NumberAddress[] = []
      for (let after: store.ConnectedChannel | undefined; ; ) {
        const rows = await store.listConnected(sql, { after, limit: BATCH_SIZE })
        visited.push(...(await Promise.all(rows.map((row) => visit(row, wish)))))
        after = rows.at(-1)
        if (rows.length < BATCH_SIZE) return visited
      }
    },
  }
}

function describe({ title, details }: UpstreamFailure): string {
  return details ?? title ?? 'the upstream did not respond'
}
