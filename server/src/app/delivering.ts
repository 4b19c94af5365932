import type { Audit } from '../domains/audit/service.ts'
import type { Events } from '../domains/events/service.ts'
import { createSender } from '../domains/webhooks/attempts/sender.ts'
import { createBodies } from '../domains/webhooks/deliveries/bodies.ts'
import { createEngine } from '../domains/webhooks/deliveries/engine-service.ts'
import { createLanes, DELIVERY_LIMITS } from '../domains/webhooks/deliveries/lanes.ts'
import { createNotices } from '../domains/webhooks/deliveries/notices.ts'
import { createPublishing } from '../domains/webhooks/deliveries/publishing-service.ts'
import { createRecorder } from '../domains/webhooks/deliveries/recorder.ts'
import { createRecording } from '../domains/webhooks/deliveries/recording-service.ts'
import { createDeliveries } from '../domains/webhooks/deliveries/service.ts'
import { createUpkeep } from '../domains/webhooks/deliveries/upkeep-service.ts'
import { createWorker } from '../domains/webhooks/deliveries/worker-service.ts'
import { createWakeUps } from '../domains/webhooks/wake-ups.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Sealing } from '../kernel/crypto/sealing.ts'
import type { Pool } from '../kernel/db/pool.ts'
import type { Logger } from '../kernel/logger.ts'
import type { Destinations } from '../kernel/net/vet.ts'
import { VERSION } from '../kernel/version.ts'

const BODIES_BYTES_MAX = 32 * 1024 * 1024

type Parts = {
  sql: Pool
  now: Clock
  logger: Logger
  sealing: Sealing
  destinations: Destinations
  events: Events
  audit: Audit
}

/** The part of the context that brings events to their receivers. */
export function createDelivering({ sql, now, logger, sealing, destinations, events, audit }: Parts) {
  const wakeUps = createWakeUps()
  const bodies = createBodies({ bytesMax: BODIES_BYTES_MAX })
  const sender = createSender({ destinations, version: VERSION, now })
  const recorder = createRecorder({ write: createRecording({ sql, audit }).record, logger })
  const lanes = createLanes(DELIVERY_LIMITS)
  const worker = createWorker({ sql, now, logger, sealing, sender, bodies, lanes, recorder })
  return {
    wakeUps,
    sender,
    worker,
    publish: createPublishing({ events, wakeUps, bodies }).publish,
    deliveries: createDeliveries({ sql, events, wakeUps, audit }),
    upkeep: createUpkeep({ sql, now }),
    notices: createNotices({ sql, wakeUps, logger }),
    engine: createEngine({ sql, logger, lanes, worker, recorder, wakeUps }),
  }
}
