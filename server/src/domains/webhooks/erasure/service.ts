import type { IdWindow } from '../../../kernel/db/id-windows.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { DEFERRED, type DeliveryPlace } from '../delivery-place.ts'
import * as store from './store.ts'

const BATCH_SIZE = 500

export type DeliveryErasure = ReturnType<typeof createDeliveryErasure>

/** Erases a person from deliveries. Final deliveries stay as they are, except for the answers of receivers. */
export function createDeliveryErasure({ sql }: { sql: Pool }) {
  return {
    listOpen: (page: { organizationId: string; after: DeliveryPlace }) =>
      store.listOpen(sql, { ...page, limit: BATCH_SIZE }),

    listFinal: (page: { organizationId: string; after: DeliveryPlace; window: IdWindow }) =>
      store.listFinal(sql, { ...page, limit: BATCH_SIZE }),

    /** Returns how many it canceled, with those that were not made yet. */
    async cancel(tx: Tx, organizationId: string, deliveries: readonly store.DeliveryOfEvent[]): Promise<number> {
      const deferred = deliveries.filter(({ endpoint_id }) => endpoint_id === DEFERRED).map(({ id }) => id)
      const keys = deliveries
        .filter(({ endpoint_id }) => endpoint_id !== DEFERRED)
        .map(({ endpoint_id: endpointId, id }) => ({ endpointId, id }))
      const unmade = deferred.length === 0 ? 0 : await store.deleteDeferred(tx, organizationId, deferred)
      return unmade + (keys.length === 0 ? 0 : await store.cancelOpen(tx, organizationId, keys))
    },

    async eraseResponses(
      tx: Tx,
      organizationId: string,
      deliveries: readonly store.DeliveryOfEvent[],
    ): Promise<number> {
      const ids = deliveries.map(({ id }) => id)
      return ids.length === 0 ? 0 : store.eraseResponses(tx, organizationId, ids)
    },
  }
}
