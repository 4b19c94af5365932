import type { Clock } from '../../kernel/clock.ts'
import type { SealedPlace, Sealing } from '../../kernel/crypto/sealing.ts'
import { hashToken, type NewToken, readTokenKind } from '../../kernel/crypto/tokens.ts'
import type { Fragment, Pool, Sql, Tx } from '../../kernel/db/pool.ts'
import { deleteTenantRows } from '../../kernel/db/tenant-rows.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Initiator } from '../audit/initiator.ts'
import { requireValidOptions } from './options.ts'
import type { ConnectLinkOptions, ListedLink } from './schemas.ts'
import * as store from './store.ts'

/** Longer than all upstream calls of one connection together, so that a claim does not expire during a slow one. */
const CLAIM_SECONDS = 180

/** The time that the customer has to look up a PIN. */
const EXCHANGED_SECONDS = 900

const EXPIRED_LINK_DAYS = 30
const DELETE_BATCH_SIZE = 1000

const LISTED_MAX = 10

const TABLES = ['connect_links']

export type ClaimedLink = {
  organizationId: string
  id: string
  channelId: string
  claim: string
  metadata: Record<string, unknown> | null
}

type Dependencies = {
  newToken: NewToken
  sql: Pool
  now: Clock
  sealing: Sealing
  publicUrl: string
  lifeSeconds: number
  /** Rows with the `organization_id` and the `id` of each channel that exists. */
  buildOpenChannels: (sql: Sql) => Fragment
}

export type ConnectLinks = ReturnType<typeof createConnectLinks>

/** One-time links with which a customer connects a number. `onboarding` claims and spends them. */
export function createConnectLinks({
  newToken,
  sql,
  now,
  sealing,
  publicUrl,
  lifeSeconds,
  buildOpenChannels,
}: Dependencies) {
  async function find(token: string): Promise<store.Link> {
    const isLink = readTokenKind(token) === 'connect_link'
    const link = isLink && (await store.findLink(sql, hashToken(token), buildOpenChannels))
    if (!link) throw notFound('connect_link_not_found')
    refuseEnded(link)
    return link
  }

  return {
    async issue(
      tx: Tx,
      channel: { organizationId: string; channelId: string; maker: Initiator['actor'] },
      options: ConnectLinkOptions = {},
    ) {
      requireValidOptions(options)
      const token = newToken('connect_link')
      const { expires_at } = await store.insertLink(tx, {
        ...channel,
        ...options,
        id: newId(now()),
        tokenHash: hashToken(token),
        lifeSeconds,
      })
      return { connect_url: `${publicUrl}/connect/${token}`, expires_at }
    },

    list: (channel: { organizationId: string; channelId: string }): Promise<ListedLink[]> =>
      store.listLinks(sql, { ...channel, limit: LISTED_MAX }),

    /** For a deleted channel. The exchanged tokens of its links are erased too. */
    async end(tx: Tx, channel: { organizationId: string; channelId: string }): Promise<void> {
      await store.endLinks(tx, channel)
    },

    find,

    async claim(token: string): Promise<ClaimedLink> {
      const link = await find(token)
      const key = { organizationId: link.organization_id, id: link.id, claim: newId(now()) }
      if (!(await store.claimLink(sql, { ...key, seconds: CLAIM_SECONDS }))) {
        await find(token)
        throw new AppError('OPERATION_IN_PROGRESS', 'link_in_use')
      }
      return { ...key, channelId: link.channel_id, metadata: link.metadata }
    },

    async release(link: ClaimedLink): Promise<void> {
      await store.releaseLink(sql, link)
    },

    /** The token that this code was exchanged for at this link, unless it has expired. */
    async findExchangedToken(link: ClaimedLink, code: string): Promise<string | undefined> {
      const sealed = await store.findExchanged(sql, { ...link, codeHash: hashToken(code) })
      return sealed === undefined ? undefined : sealing.open(sealed, toSealedPlace(link))
    },

    async storeExchangedToken(link: ClaimedLink, code: string, token: string): Promise<void> {
      const sealedToken = sealing.seal(token, toSealedPlace(link))
      await store.updateExchanged(sql, { ...link, codeHash: hashToken(code), sealedToken, seconds: EXCHANGED_SECONDS })
    },

    /** A batch; 0 when nothing is left. */
    deleteOfOrganization: (organizationId: string) => deleteTenantRows(sql, TABLES, organizationId),

    async deleteExpiredTokens(): Promise<void> {
      await store.deleteExpiredExchanges(sql)
    },

    /** Until then a person who opens an old link learns that it has ended. */
    async deleteExpiredLinks(): Promise<void> {
      const batch = { expiredDays: EXPIRED_LINK_DAYS, limit: DELETE_BATCH_SIZE }
      while ((await store.deleteLinks(sql, batch)) === DELETE_BATCH_SIZE);
    },

    async spend(tx: Tx, link: ClaimedLink): Promise<void> {
      if (await store.markUsed(tx, link)) return
      throw new AppError('CONNECT_LINK_EXPIRED', 'connect_link_expired_in_use')
    },
  }
}

function refuseEnded({ state }: store.Link): void {
  if (state === 'used') throw new AppError('CONNECT_LINK_USED', 'connect_link_used')
  if (state === 'expired') throw new AppError('CONNECT_LINK_EXPIRED', 'connect_link_expired')
}

function toSealedPlace({ organizationId, id }: ClaimedLink): SealedPlace {
  return { table: 'connect_links', column: 'exchanged_token', organizationId, rowId: id }
}
