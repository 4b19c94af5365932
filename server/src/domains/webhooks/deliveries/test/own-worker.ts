import type { TestHub } from '../../../../../test/hub.ts'
import { createLogger } from '../../../../kernel/logger.ts'
import type { Sender } from '../../attempts/sender.ts'
import { type Bodies, createBodies } from '../bodies.ts'
import { createEngine } from '../engine-service.ts'
import { createLanes, DELIVERY_LIMITS } from '../lanes.ts'
import { createRecorder } from '../recorder.ts'
import { createRecording } from '../recording-service.ts'
import { createWorker } from '../worker-service.ts'

const logger = createLogger('silent', { write: () => undefined })

/** A worker beside the hub's own, with the parts that a test has made for it; it remembers no bodies unless told. */
export function startOwnWorker({ context }: TestHub, parts: { sender?: Sender; bodies?: Bodies } = {}) {
  const { sql, now, sealing, audit, wakeUps } = context
  const { sender = context.sender, bodies = createBodies({ bytesMax: 0 }) } = parts
  const lanes = createLanes(DELIVERY_LIMITS)
  const recorder = createRecorder({ write: createRecording({ sql, audit }).record, logger })
  const worker = createWorker({ sql, now, logger, sealing, sender, bodies, lanes, recorder })
  const engine = createEngine({ sql, logger, lanes, worker, recorder, wakeUps })

  return {
    /** All that is due at this moment, attempted once and written down. */
    deliver: () => engine.deliverDue(),

    /** One claim of an endpoint's due deliveries, attempted and written down. Returns how many were begun. */
    async step(endpoint: { organizationId: string; endpointId: string }): Promise<number> {
      lanes.hint([endpoint])
      const count = await worker.step(() => undefined)
      await worker.settled()
      await recorder.flush()
      return count
    },
  }
}
