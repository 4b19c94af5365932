import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from '../../../kernel/db/pool.ts'
import { readIdTime } from '../../../kernel/ids.ts'
import type { LiveUpdates } from '../../live-updates/service.ts'
import type { WakeUps } from '../wake-ups.ts'
import * as store from './deferred-store.ts'
import { DUE_MAX, DUE_PER_ENDPOINT_MAX, STEP_MAX } from './fan-out-limits.ts'

const LIMITS = { stepMax: STEP_MAX, dueMax: DUE_MAX, duePerEndpointMax: DUE_PER_ENDPOINT_MAX }
/** The pause before room is looked for again. Deliveries are claimed meanwhile, so the next step is large. */
const ROOM_PAUSE_MS = 25
/** The pause is at least this many times as long as a round took, which is long with very many endpoints. */
const ROOM_PAUSE_FACTOR = 4

type Dependencies = { sql: Pool; wakeUps: WakeUps; liveUpdates: Pick<LiveUpdates, 'record'> }

export type DeferredFanOuts = ReturnType<typeof createDeferredFanOuts>

/**
 * Makes the deliveries of events that matched too many endpoints to make them with the event: in steps, and organizations in
 * turn. An organization has to wait while it has enough due. So the deliveries of one do not stand before those of
 * another, neither in the database nor in the queue of a worker.
 *
 * A step is one statement, which also advances the row of the fan-out: a worker that dies leaves what it has committed.
 */
export function createDeferredFanOuts({ sql, wakeUps, liveUpdates }: Dependencies) {
  let onError: ((err: unknown) => void) | undefined
  let running: Promise<void> | undefined
  let isWoken = false
  let isFull = false

  /** One step for each organization. Returns how many endpoints they are done with. */
  async function makeRound(): Promise<number> {
    isFull = false
    let passed = 0
    for (const organizationId of await store.listWaiting(sql)) {
      const step = await store.makeDeliveries(sql, { organizationId, ...LIMITS })
      passed += step.passed
      isFull ||= step.room === 0
      if (step.deliveries.length > 0) announce(organizationId, step.deliveries)
    }
    return passed
  }

  function announce(organizationId: string, deliveries: store.Step['deliveries']): void {
    wakeUps.wake(deliveries.map(({ endpoint_id: endpointId }) => ({ organizationId, endpointId })))
    liveUpdates.record(deliveries, ({ endpoint_id: endpointId, delivery_id: deliveryId }) => [
      { organizationId, kind: 'delivery.created', endpointId, deliveryId },
    ])
  }

  async function makeWhileWoken(): Promise<void> {
    while (isWoken && onError) {
      isWoken = false
      const startedAt = performance.now()
      if ((await makeRound()) > 0) isWoken = true
      else if (isFull) await delay(Math.max(ROOM_PAUSE_MS, ROOM_PAUSE_FACTOR * (performance.now() - startedAt)))
    }
  }

  /** Makes what there is room for. Does nothing before `start`. */
  function wake(): void {
    isWoken = true
    if (!onError || running) return
    running = makeWhileWoken()
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  }

  return {
    wake,

    start(errorHandler: (err: unknown) => void): void {
      onError = errorHandler
    },

    async stop(): Promise<void> {
      onError = undefined
      await running
    },

    /** To be called when deliveries were claimed: there may be room now. */
    onClaim(): void {
      if (isFull) wake()
    },

    /** Makes what there is room for now, and returns whether there was any. */
    async makeDue(): Promise<boolean> {
      let hasMade = false
      while ((await makeRound()) > 0) hasMade = true
      return hasMade
    },

    /** Counts the deliveries of these events that are not made yet. */
    countUnmade: (organizationId: string, eventIds: readonly string[]) =>
      store.countUnmade(sql, organizationId, eventIds),

    measureWaiting: () => store.measureWaiting(sql),

    /**
     * The time of the oldest event whose payload is needed. Retention by age is enough for deliveries that are made with
     * their event, and not for those that are made weeks later and then fail.
     */
    async findOldestNeededAt(): Promise<Date | undefined> {
      const id = await store.findOldestNeeded(sql)
      return id === undefined ? undefined : new Date(readIdTime(id))
    },
  }
}
