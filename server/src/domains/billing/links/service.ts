import type { Clock } from '../../../kernel/clock.ts'
import { hashToken, newToken, tokenKind } from '../../../kernel/crypto/tokens.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { PaidPlan } from '../plans/plans.ts'
import * as store from './store.ts'

/** Where a person comes back to. It says nothing, and nothing is concluded from somebody being there. */
export const RETURN_PATH = '/billing/return'

const PATHS: Record<store.LinkKind, string> = { portal: '/billing/portal', plan: '/billing/plan' }
const LIFE_SECONDS: Record<store.LinkKind, number> = { portal: 300, plan: 3600 }
const REMEMBERED_DAYS = 7

export type BillingLink = { organizationId: string; id: string; plan: PaidPlan | null }

export type BillingLinks = ReturnType<typeof createBillingLinks>

/** Links that do one thing once, for whoever has them: they are handed from a program to a person. */
export function createBillingLinks({ sql, now, publicUrl }: { sql: Pool; now: Clock; publicUrl: string }) {
  async function find(token: string, kind: store.LinkKind): Promise<BillingLink> {
    const link = tokenKind(token) === 'billing_link' && (await store.findLink(sql, hashToken(token), kind))
    if (!link) throw notFound('Link')
    if (!link.is_open) throw over()
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

    /** Spends the link for `work`, and gives it back where the provider could not be asked. */
    async spend<T>(token: string, kind: store.LinkKind, work: (link: BillingLink) => Promise<T>): Promise<T> {
      const link = await find(token, kind)
      if (!(await store.markUsed(sql, link))) throw over()
      try {
        return await work(link)
      } catch (err) {
        await store.markUnused(sql, link)
        throw err
      }
    },

    async forgetOld(): Promise<void> {
      await store.deleteOldLinks(sql, REMEMBERED_DAYS)
    },
  }
}

/** Whoever opens a link sees a page: of this error only the status comes to light. */
function over(): AppError {
  return new AppError('CONNECT_LINK_USED', 'This link was used already or has expired. Ask for a new one.')
}
