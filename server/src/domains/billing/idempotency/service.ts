import { createHash } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { resealColumn } from '../../../kernel/crypto/reseal.ts'
import type { SealedColumn, SealedPlace, Sealing } from '../../../kernel/crypto/sealing.ts'
import type { Json, Pool, Tx } from '../../../kernel/db/pool.ts'
import { AppError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import * as store from './store.ts'

/** Longer than all provider calls of one request together, including their retries. */
export const LEASE_SECONDS = 300

/** Authenticated with every sealed value: under another table or column name the stored values could not be opened. */
const RESPONSE_COLUMN: SealedColumn = { table: 'billing_requests', column: 'answer' }

/** Stripe forgets an idempotency key a day after its first use. */
const CHANGE_HOURS = 23

const RETENTION_DAYS = 30
const DELETION_BATCH_SIZE = 5000

type KeyedRequest = { organizationId: string; route: store.Route; key: string; body: Json }

/** One execution of a request. `change` is what an earlier execution under the same key sent to the provider. */
export type Execution = {
  providerKey: string
  change: Json | null
  /** Stores the change before the provider is called, so that a retry repeats exactly this change. */
  storeChange: (tx: Tx, change: Json) => Promise<void>
}

/** `record` joins the transaction that stores the response. */
type Completion<T> = { response: T; record: (tx: Tx) => Promise<void> }

export type IdempotencyRecords = ReturnType<typeof createIdempotencyRecords>

/**
 * Executes each request with an Idempotency-Key once.
 *
 * free: the key is unknown. A request claims it.
 * claimed: the request is executing, until its lease expires; other requests with the key get 409
 * OPERATION_IN_PROGRESS.
 * open: the execution failed after its change was stored, or its process died. The same key and body execute again and
 * send the provider exactly the same change under the same provider key. After a day the provider no longer knows that
 * key: the request begins anew from the provider's present state. A failure before a change is stored frees the key.
 * completed: the same key and body get the stored response.
 */
export function createIdempotencyRecords({ sql, now, sealing }: { sql: Pool; now: Clock; sealing: Sealing }) {
  async function replay<T>(request: KeyedRequest, bodyHash: Buffer): Promise<{ response: T; isReplay: boolean }> {
    const record = await store.findRecord(sql, request)
    if (record && !record.body_hash.equals(bodyHash)) {
      throw new AppError('IDEMPOTENCY_KEY_REUSED', 'key_of_another_request')
    }
    const response = record?.answer && sealing.open(record.answer, toSealedPlace(request.organizationId, record.id))
    if (response) return { response: JSON.parse(response) as T, isReplay: true }
    throw new AppError('OPERATION_IN_PROGRESS', 'request_in_progress')
  }

  return {
    async run<T extends Json>(
      request: KeyedRequest,
      work: (execution: Execution) => Promise<Completion<T>>,
    ): Promise<{ response: T; isReplay: boolean }> {
      const { organizationId } = request
      const bodyHash = createHash('sha256').update(JSON.stringify(request.body)).digest()
      const claim = { ...request, id: newId(now()), bodyHash, seconds: LEASE_SECONDS, changeHours: CHANGE_HOURS }
      const claimed = await store.claimRecord(sql, claim)
      if (!claimed) return replay<T>(request, bodyHash)
      const key = { organizationId, id: claimed.id }
      try {
        const { response, record } = await work({
          providerKey: buildProviderKey({ ...request, key: claimed.id }),
          change: claimed.change,
          storeChange: (tx, change) => store.updateChange(tx, { ...key, change }),
        })
        await sql.begin(async (tx) => {
          const sealedResponse = sealing.seal(JSON.stringify(response), toSealedPlace(organizationId, claimed.id))
          await store.updateResponse(tx, { ...key, sealedResponse })
          await record(tx)
        })
        return { response, isReplay: false }
      } catch (err) {
        await store.releaseRecord(sql, key)
        throw err
      }
    },

    async deleteOld(): Promise<void> {
      const batch = { days: RETENTION_DAYS, limit: DELETION_BATCH_SIZE }
      while ((await store.deleteOldRecords(sql, batch)) === DELETION_BATCH_SIZE);
    },

    async reseal() {
      return resealColumn(sql, sealing, RESPONSE_COLUMN)
    },
  }
}

/** Keys of different organizations and routes may be equal; at the provider, where they share one account, they must not. */
export function buildProviderKey(request: { organizationId: string; route: string; key: string }): string {
  const { organizationId, route, key } = request
  return createHash('sha256')
    .update(JSON.stringify([organizationId, route, key]))
    .digest('hex')
}

function toSealedPlace(organizationId: string, rowId: string): SealedPlace {
  return { ...RESPONSE_COLUMN, organizationId, rowId }
}
