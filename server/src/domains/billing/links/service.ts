import type { Clock } from '../../../kernel/clock.ts'
import { hashToken, type NewToken, readTokenKind } from '../../../kernel/crypto/tokens.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { PaidPlan } from '../plans/plans.ts'
import * as store from './store.ts'

/** The page to which the provider sends a person back. A request for it changes nothing: it proves no payment. */
export const RETURN_PATH = '/billing/return'

const PATHS: Record<store.LinkKind, string> = { portal: '/billing/portal', plan: '/billing/plan' }
const LIFE_SECONDS: Record<store.LinkKind, number> = { portal: 300, plan: 3600 }
const RETENTION_DAYS = 7

export type BillingLink = { organizationId: string; id: string; plan: PaidPlan | null }

export type BillingLinks = ReturnType<typeof createBillingLinks>

/** One-time links for a person without credentials: an API client requests the link and passes it on. */
export function createBillingLinks({
  newToken,
  sql,
  now,
  publicUrl,
}: {
  newToken: NewToken
  sql: Pool
  now: Clock
  publicUrl: string
}) {
  async function find(token: string, kind: store.LinkKind): Promise<BillingLink> {
    const link = readTokenKind(token) === 'billing_link' && (await store.findLink(sql, hashToken(token), kind))
    if (!link) throw notFound('link_not_found')
    if (!link.is_open) throw linkUsed()
    return { organizationId: link.organization_id, id: link.id, plan: link.plan }
  }

  return {
    find,

    async issue(tx: Tx, organizationId: string, kind: store.LinkKind, plan: PaidPlan | null = null): Promise<string> {
      const token = newToken('billing_link')
      const lifeSeconds = LIFE_SECONDS[kind]
      const id = newId(now())
      await store.insertLink(tx, { organizationId, id, kind, plan, tokenHash: hashToken(token), lifeSeconds })
      return `${publicUrl}${PATHS[kind]}/${token}`
    },

    /**
     * Marks the link as used for `work`, and as unused again if `work` fails, so that a person can correct the cause or
     * retry. `work` must not fail after the provider has accepted: the link would do the same a second time.
     */
    async use<T>(token: string, kind: store.LinkKind, work: (link: BillingLink) => Promise<T>): Promise<T> {
      const link = await find(token, kind)
      if (!(await store.markUsed(sql, link))) throw linkUsed()
      try {
        return await work(link)
      } catch (err) {
        await store.markUnused(sql, link)
        throw err
      }
    },

    async deleteOld(): Promise<void> {
      await store.deleteOldLinks(sql, RETENTION_DAYS)
    },
  }
}

/** The list of error codes is closed, so billing links share the code of connect links. */
function linkUsed(): AppError {
  return new AppError('CONNECT_LINK_USED', 'billing_link_used')
}
