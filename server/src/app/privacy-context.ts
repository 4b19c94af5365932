import type { Audit } from '../domains/audit/service.ts'
import type { EventLog } from '../domains/events/log/service.ts'
import { createCallbackErasure } from '../domains/inbound/erasure/service.ts'
import type { Media } from '../domains/media/service.ts'
import type { Contacts } from '../domains/messages/contacts/service.ts'
import { createMessageErasure } from '../domains/messages/erasure/service.ts'
import { createErasurePreviews } from '../domains/privacy/erasures/preview.ts'
import { createErasures } from '../domains/privacy/erasures/service.ts'
import { createStages } from '../domains/privacy/erasures/stages.ts'
import { createErasureWorker } from '../domains/privacy/erasures/worker.ts'
import { createDeliveryErasure } from '../domains/webhooks/erasure/service.ts'
import { computeRetentionDays } from '../domains/webhooks/retention/retention-days.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Cursors } from '../kernel/crypto/cursor.ts'
import type { Sealing } from '../kernel/crypto/sealing.ts'
import type { Pool } from '../kernel/db/pool.ts'
import type { Logger } from '../kernel/logger.ts'
import type { Config } from './config/config.ts'

type Base = {
  sql: Pool
  now: Clock
  logger: Logger
  sealing: Sealing
  cursors: Cursors
  audit: Audit
  media: Media
  contacts: Contacts
  eventLog: EventLog
}

/** The services that erase people, for the context. */
export function createErasureContext(config: Config, base: Base) {
  const { sql, now, logger, sealing, cursors, audit, media, contacts, eventLog } = base
  const { deliveries, payloads } = computeRetentionDays(config.retentionEventsDays)
  const retentionDays = {
    messages: config.retentionMessagesDays,
    events: payloads,
    deliveries,
    callbacks: config.retentionEventsDays,
  }
  const messageErasure = createMessageErasure({ sql })
  const deliveryErasure = createDeliveryErasure({ sql })
  const callbackErasure = createCallbackErasure({ sql })
  const read = { now, messageErasure, eventLog, deliveryErasure, retentionDays }
  const stages = createStages({ ...read, contacts, callbackErasure, media, audit })
  return {
    erasures: createErasures({ sql, now, sealing, cursors, audit, previews: createErasurePreviews(read) }),
    erasureWorker: createErasureWorker({ sql, now, logger, sealing, audit, stages }),
  }
}
