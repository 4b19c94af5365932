import type { Pool } from '../../../kernel/db/pool.ts'
import { deleteFailuresOfDeleted } from './health-store.ts'
import { cancelHeld, deleteDeletionRecords, erasePreviousSecrets } from './store.ts'

/** A paused endpoint holds its deliveries for this long. */
export const HELD_DAYS = 4
/**
 * Longer than any statement. A fan-out, the statement that inserts the deliveries of an event, may have read an endpoint
 * before it changed; after this time it has ended.
 */
export const FAN_OUT_SECONDS_MAX = 300

const BATCH_SIZE = 500

export type EndpointCleanup = ReturnType<typeof createEndpointCleanup>

/** The part of retention that writes the endpoints' own tables. */
export function createEndpointCleanup({ sql }: { sql: Pool }) {
  return {
    cancelHeld: () => cancelHeld(sql, HELD_DAYS),

    async erasePreviousSecrets(): Promise<void> {
      while ((await erasePreviousSecrets(sql, BATCH_SIZE)) === BATCH_SIZE);
    },

    /** To be called when no deliveries of deleted endpoints are left. */
    async finishDeletions(): Promise<void> {
      await deleteFailuresOfDeleted(sql)
      await deleteDeletionRecords(sql, FAN_OUT_SECONDS_MAX)
    },
  }
}
