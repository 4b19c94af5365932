import type { Pool } from '../../../kernel/db/pool.ts'
import { buildUsageInsert } from '../../billing/usage/service.ts'
import type { LiveUpdate } from '../../live-updates/live-update.ts'
import type { LiveUpdates } from '../../live-updates/service.ts'
import { buildAttemptCountInsert } from '../../statistics/counts/service.ts'
import { buildFailureReset, type EndpointHealth } from '../endpoints/health.ts'
import { type AttemptResult, UNREADABLE } from './attempt-result.ts'
import { finishAttempts } from './store.ts'

const OTHER_WRITES = { buildUsageInsert, buildAttemptCountInsert, buildFailureReset }

type Dependencies = { sql: Pool; health: EndpointHealth; liveUpdates: Pick<LiveUpdates, 'record'> }

/**
 * Writes attempt results and updates their deliveries. Successes reset the failure counts of the endpoints, and failures
 * increment them.
 */
export function createResultWriter({ sql, health, liveUpdates }: Dependencies) {
  async function write(results: AttemptResult[]): Promise<void> {
    const failing = new Set(results.filter(({ isSuccess }) => !isSuccess).map(({ endpointId }) => endpointId))
    const succeeded = results.filter(({ endpointId }) => !failing.has(endpointId))
    const mixed = results.filter(({ endpointId }) => failing.has(endpointId))
    if (succeeded.length > 0) await finishAttempts(sql, succeeded, OTHER_WRITES)
    if (mixed.length === 0) return
    await sql.begin(async (tx) => {
      const finished = await finishAttempts(tx, mixed, OTHER_WRITES)
      // Not by delivery: the batch may also have the result of an earlier attempt, whose claim was lost.
      const attemptIds = new Set(finished.map(({ attempt_id }) => attempt_id))
      await health.countResults(
        tx,
        mixed
          .filter(({ attemptId }) => attemptIds.has(attemptId))
          .map((result) => ({ ...result, isByReceiver: result.errorCode !== UNREADABLE })),
      )
    })
  }

  return {
    /**
     * Takes results in the order in which the attempts ended. One statement
     * writes those of the endpoints that only succeeded, one transaction the
     * others: in a single transaction, two writers could wait for each other,
     * one for a health row it clears and one for a health row it counts in.
     */
    async writeResults(results: AttemptResult[]): Promise<void> {
      await write(results)
      liveUpdates.record(results, toDeliveryUpdates)
    },
  }
}

export function toDeliveryUpdates({ organizationId, endpointId, id }: AttemptResult): LiveUpdate[] {
  return [{ organizationId, kind: 'delivery.updated', endpointId, deliveryId: id }]
}
