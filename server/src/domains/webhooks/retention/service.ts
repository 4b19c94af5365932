import type { Pool } from '../../../kernel/db/pool.ts'
import { deleteTenantRows } from '../../../kernel/db/tenant-rows.ts'
import { type EndpointCleanup, FAN_OUT_SECONDS_MAX } from '../endpoints/cleanup.ts'
import * as store from './store.ts'

const BATCH_SIZE = 1000

/** Each before the table into which its rows may turn: a fan-out makes open deliveries, and one that ends is in the log. */
const TABLES = [
  'deferred_fan_outs',
  'delivery_queue',
  'listener_deliveries',
  'listeners',
  'delivery_attempts',
  'deliveries',
  'webhook_endpoint_channels',
  'webhook_endpoint_health',
  'webhook_pauses',
  'webhook_endpoints',
  'deleted_endpoints',
]

export type DeliveryRetention = ReturnType<typeof createDeliveryRetention>

/** Clears the queue of canceled deliveries, and the queue and the log of those of deleted endpoints. */
export function createDeliveryRetention({ sql, cleanup }: { sql: Pool; cleanup: EndpointCleanup }) {
  return {
    /**
     * By default searches only endpoints that are not active or have a recent cancellation. A search of all endpoints is
     * slower, and finds what an interrupted run left behind.
     */
    async clearCanceled({ searchesAllEndpoints = false } = {}): Promise<void> {
      await cleanup.cancelHeld()
      const recentSeconds = searchesAllEndpoints ? null : FAN_OUT_SECONDS_MAX
      while ((await store.logCanceled(sql, { limit: BATCH_SIZE, recentSeconds })) === BATCH_SIZE);
    },

    /** A batch; 0 when nothing is left. */
    deleteOfOrganization: (organizationId: string) => deleteTenantRows(sql, TABLES, organizationId),

    async removeDeleted(): Promise<void> {
      for (const endpoint of await store.listDeletedEndpoints(sql)) {
        while ((await store.deleteDeliveries(sql, endpoint, BATCH_SIZE)) > 0);
      }
      await cleanup.finishDeletions()
    },
  }
}
