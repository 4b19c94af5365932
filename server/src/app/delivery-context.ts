import type { Alerts } from '../domains/alerts/service.ts'
import type { Audit } from '../domains/audit/service.ts'
import type { Auth } from '../domains/auth/service.ts'
import type { Events } from '../domains/events/service.ts'
import type { LiveUpdates } from '../domains/live-updates/service.ts'
import { createSender, type Sender } from '../domains/webhooks/attempts/sender.ts'
import type { LockOpenChannels } from '../domains/webhooks/endpoints/channel-selection.ts'
import { createEndpointCleanup } from '../domains/webhooks/endpoints/cleanup.ts'
import { createEndpointHealth } from '../domains/webhooks/endpoints/health.ts'
import { DELIVERY_LIMITS } from '../domains/webhooks/engine/attempt-slots.ts'
import { createDirectClaims } from '../domains/webhooks/engine/direct-claims.ts'
import { createEngine } from '../domains/webhooks/engine/engine.ts'
import { createLanes } from '../domains/webhooks/engine/lanes.ts'
import { createNotifications } from '../domains/webhooks/engine/notifications.ts'
import { createWorker } from '../domains/webhooks/engine/worker.ts'
import { createListeners } from '../domains/webhooks/listeners/service.ts'
import { createDeliveryLog } from '../domains/webhooks/log/service.ts'
import { createDeferredFanOuts } from '../domains/webhooks/publishing/deferred-fan-outs.ts'
import { createPayloadCache } from '../domains/webhooks/publishing/payload-cache.ts'
import { createPublishing } from '../domains/webhooks/publishing/service.ts'
import { createExpiredClaims } from '../domains/webhooks/results/expired-claims.ts'
import { createResultBuffer } from '../domains/webhooks/results/result-buffer.ts'
import { createResultWriter } from '../domains/webhooks/results/result-writer.ts'
import { createDeliveryRetention } from '../domains/webhooks/retention/service.ts'
import { createWakeUps } from '../domains/webhooks/wake-ups.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Sealing } from '../kernel/crypto/sealing.ts'
import type { BatchSplits } from '../kernel/db/batch-splits.ts'
import type { Outages } from '../kernel/db/outages.ts'
import type { Pool } from '../kernel/db/pool.ts'
import type { SessionLock } from '../kernel/db/session-lock.ts'
import type { Logger } from '../kernel/logger.ts'
import type { Destinations } from '../kernel/net/destinations.ts'
import { VERSION } from '../kernel/version.ts'

const PAYLOAD_BYTES_MAX = 16 * 1024 * 1024

type Dependencies = {
  sql: Pool
  now: Clock
  logger: Logger
  outages: Outages
  sealing: Sealing
  destinations: Destinations
  events: Events
  auth: Auth
  audit: Audit
  lockOpenChannels: LockOpenChannels
  publicUrl: string
  graphUrl: string
  batchSplits: BatchSplits
  liveUpdates: LiveUpdates
  alerts: Alerts
  retentionDays: { deliveries: number; payloads: number }
  processLock: SessionLock
  isHeld: () => boolean
  /** Answers in place of the receivers, for sample data. */
  sender?: Sender | undefined
}

/** The part of the context that delivers events to webhook endpoints. */
export function createDeliveryContext(dependencies: Dependencies) {
  const { sql, now, logger, outages, sealing, destinations, events, auth, audit, publicUrl, batchSplits, liveUpdates } =
    dependencies
  const { lockOpenChannels, graphUrl, retentionDays, processLock: lock, isHeld } = dependencies
  const wakeUps = createWakeUps()
  const listenerWakeUps = createWakeUps<string>()
  const fanOutWakeUps = createWakeUps<string>()
  const payloads = createPayloadCache({ bytesMax: PAYLOAD_BYTES_MAX, now })
  const sender = dependencies.sender ?? createSender({ destinations, version: VERSION, now })
  const health = createEndpointHealth({ audit, logger, publish: (tx, paused) => publishing.publish(tx, paused) })
  const { writeResults } = createResultWriter({ sql, health, liveUpdates })
  const results = createResultBuffer({ write: writeResults, logger, outages, batchSplits })
  const lanes = createLanes(DELIVERY_LIMITS)
  const worker = createWorker({ sql, now, logger, sealing, sender, payloads, lanes, results, lock, graphUrl })
  const directClaims = createDirectClaims({ lanes, worker, results, lock, isHeld })
  const endpointCleanup = createEndpointCleanup({ sql })
  const publishing = createPublishing({
    events,
    wakeUps,
    listenerWakeUps,
    fanOutWakeUps,
    payloads,
    directClaims,
    liveUpdates,
    alerts: dependencies.alerts,
  })
  const deferredFanOuts = createDeferredFanOuts({ sql, wakeUps, liveUpdates })
  return {
    wakeUps,
    fanOutWakeUps,
    forgetEndpoint: lanes.forget,
    sender,
    worker,
    publishing,
    publish: publishing.publish,
    listeners: createListeners({
      sql,
      now,
      logger,
      auth,
      audit,
      lockOpenChannels,
      payloads,
      listenerWakeUps,
      publicUrl,
      version: VERSION,
    }),
    deliveryLog: createDeliveryLog({
      sql,
      now,
      events,
      wakeUps,
      fanOuts: deferredFanOuts,
      audit,
      graphUrl,
      retentionDays: retentionDays.deliveries,
      payloadDays: retentionDays.payloads,
    }),
    endpointCleanup,
    deliveryRetention: createDeliveryRetention({ sql, cleanup: endpointCleanup }),
    expiredClaims: createExpiredClaims({ sql, now, results, liveUpdates }),
    deferredFanOuts,
    notifications: createNotifications({ sql, wakeUps, fanOutWakeUps, logger }),
    engine: createEngine({
      sql,
      logger,
      outages,
      lanes,
      worker,
      directClaims,
      results,
      wakeUps,
      fanOutWakeUps,
      fanOuts: deferredFanOuts,
      isHeld,
    }),
  }
}
