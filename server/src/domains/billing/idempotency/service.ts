import { createHash } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { resealColumn } from '../../../kernel/crypto/reseal.ts'
import type { SealedColumn, SealedPlace, Sealing } from '../../../kernel/crypto/sealing.ts'
import type { Json, Pool, Tx } from '../../../kernel/db/pool.ts'
import { AppError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import * as store from './store.ts'

/** Longer than all the provider's calls of one request together, with their retries. */
export const REQUEST_SECONDS = 300
const ANSWER: SealedColumn = { table: 'billing_requests', column: 'answer' }
const KEPT_DAYS = 30
const FORGET_BATCH = 5000

type Keyed = { organizationId: string; route: store.Route; key: string; body: Json }

/** A request that is under way: how it is known at the provider, and what was asked there in an earlier try. */
export type Underway = {
  providerKey: string
  change: Json | null
  /** To be kept before the provider is asked, so that another try asks for the same. */
  keepChange: (tx: Tx, change: Json) => Promise<void>
}

/** `record` joins the transaction in which the answer is kept. */
export type Done<T> = { answer: T; record: (tx: Tx) => Promise<void> }

export type Requests = ReturnType<typeof createRequests>

/**
 * Requests under a key of the caller's, each done once.
 *
 * free: the key is not known. A request takes it.
 * under way: for as long as one try may last; others get 409 OPERATION_IN_PROGRESS.
 * open: a try ended without an outcome, or its process died. The same key and
 * body try again, and ask the provider for exactly the same under the same name.
 * A try that ends before the provider was asked for anything frees the key.
 * answered: the same key and body get the same answer again.
 */
export function createRequests({ sql, now, sealing }: { sql: Pool; now: Clock; sealing: Sealing }) {
  async function replay<T>(keyed: Keyed, bodyHash: Buffer): Promise<{ answer: T; isReplay: boolean }> {
    const { organizationId } = keyed
    const kept = await store.findRequest(sql, keyed)
    if (kept && !kept.body_hash.equals(bodyHash)) {
      const message = 'This Idempotency-Key was used with another body. Use a key of its own for each request.'
      throw new AppError('IDEMPOTENCY_KEY_REUSED', message)
    }
    const answer = kept?.answer && sealing.open(kept.answer, answerPlace(organizationId, kept.id))
    if (answer) return { answer: JSON.parse(answer) as T, isReplay: true }
    throw new AppError(
      'OPERATION_IN_PROGRESS',
      'A request with this Idempotency-Key is still running. Ask again with it.',
    )
  }

  return {
    async run<T extends Json>(
      keyed: Keyed,
      work: (underway: Underway) => Promise<Done<T>>,
    ): Promise<{ answer: T; isReplay: boolean }> {
      const { organizationId } = keyed
      const bodyHash = createHash('sha256').update(JSON.stringify(keyed.body)).digest()
      const id = newId(now())
      const kept = await store.claimRequest(sql, { ...keyed, id, bodyHash, seconds: REQUEST_SECONDS })
      if (!kept) return replay<T>(keyed, bodyHash)
      const key = { organizationId, id: kept.id }
      try {
        const { answer, record } = await work({
          providerKey: providerKey(keyed),
          change: kept.change,
          keepChange: (tx, change) => store.updateChange(tx, { ...key, change }),
        })
        await sql.begin(async (tx) => {
          const sealedAnswer = sealing.seal(JSON.stringify(answer), answerPlace(organizationId, kept.id))
          await store.updateAnswer(tx, { ...key, sealedAnswer })
          await record(tx)
        })
        return { answer, isReplay: false }
      } catch (err) {
        await store.releaseRequest(sql, key)
        throw err
      }
    },

    async forgetOld(): Promise<void> {
      while ((await store.deleteOldRequests(sql, { days: KEPT_DAYS, limit: FORGET_BATCH })) === FORGET_BATCH);
    },

    async reseal() {
      return resealColumn(sql, sealing, ANSWER)
    },
  }
}

/** Two callers may choose the same key, and one caller for two purposes: at the provider each is another. */
export function providerKey({ organizationId, route, key }: { organizationId: string; route: string; key: string }) {
  return createHash('sha256')
    .update(JSON.stringify([organizationId, route, key]))
    .digest('hex')
}

function answerPlace(organizationId: string, rowId: string): SealedPlace {
  return { ...ANSWER, organizationId, rowId }
}
