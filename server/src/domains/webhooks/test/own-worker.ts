import type { TestHub } from '../../../../test/hub.ts'
import { createLogger } from '../../../kernel/logger.ts'
import type { Sender } from '../attempts/sender.ts'
import { createEndpointHealth } from '../endpoints/health.ts'
import { DELIVERY_LIMITS, type DeliveryLimits } from '../engine/attempt-slots.ts'
import { createDirectClaims } from '../engine/direct-claims.ts'
import { createEngine } from '../engine/engine.ts'
import { createLanes } from '../engine/lanes.ts'
import { createWorker } from '../engine/worker.ts'
import { createDeferredFanOuts } from '../publishing/deferred-fan-outs.ts'
import { createPayloadCache, type PayloadCache } from '../publishing/payload-cache.ts'
import { createResultBuffer } from '../results/result-buffer.ts'
import { createResultWriter } from '../results/result-writer.ts'

const logger = createLogger('silent', { write: () => undefined })

type OwnParts = { sender?: Sender; payloads?: PayloadCache; lanesMax?: number; limits?: Partial<DeliveryLimits> }

/** Starts a second worker beside the hub's, with the parts that a test passes. By default it caches no payloads. */
export function startOwnWorker({ context }: TestHub, parts: OwnParts = {}) {
  const {
    sql,
    now,
    outages,
    sealing,
    audit,
    wakeUps,
    fanOutWakeUps,
    batchSplits,
    liveUpdates,
    processLock: lock,
  } = context
  const {
    sender = context.sender,
    payloads = createPayloadCache({ bytesMax: 0, now: () => new Date() }),
    lanesMax,
    limits,
  } = parts
  const lanes = createLanes({ ...DELIVERY_LIMITS, ...limits }, { ...(lanesMax && { lanesMax }) })
  const { writeResults } = createResultWriter({
    sql,
    health: createEndpointHealth({ audit, logger, publish: context.publish }),
    liveUpdates,
  })
  const results = createResultBuffer({ write: writeResults, logger, outages, batchSplits })
  const graphUrl = 'https://hub.example/graph'
  const worker = createWorker({ sql, now, logger, sealing, sender, payloads, lanes, results, lock, graphUrl })
  const directClaims = createDirectClaims({ lanes, worker, results, lock, isHeld: () => false })
  const fanOuts = createDeferredFanOuts({ sql, wakeUps, liveUpdates })
  const engine = createEngine({
    isHeld: () => false,
    sql,
    logger,
    outages,
    lanes,
    worker,
    directClaims,
    results,
    wakeUps,
    fanOutWakeUps,
    fanOuts,
  })

  return {
    wake: lanes.wake,

    start: engine.start,
    stop: engine.stop,

    /** Attempts every delivery that is due now, once, and writes the results. */
    deliver: () => engine.deliverDue(),

    /** Makes one claim for an endpoint, and writes the results. Returns how many deliveries were claimed. */
    async step(endpoint: { organizationId: string; endpointId: string }): Promise<number> {
      lanes.wake([endpoint])
      const count = await worker.step(() => undefined)
      await worker.waitUntilIdle()
      await results.flush()
      return count
    },
  }
}
