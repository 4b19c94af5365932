import { isDatabaseAway, type Pool } from '../../../kernel/db/pool.ts'
import type { Logger } from '../../../kernel/logger.ts'
import type { EndpointKey, WakeUps } from '../wake-ups.ts'
import type { Lanes } from './lanes.ts'
import * as store from './queue-store.ts'
import type { Recorder } from './recorder.ts'
import type { Worker } from './worker-service.ts'

/**
 * A worker with plenty to do lets so much time pass between claims, that each
 * may bring more; less where so many attempts have ended that one surely will.
 */
const ROUND_MS = 20
const PLENTY = 8
const ENDED_ENOUGH = 48
const LOOK_EVERY_MS = 1000
/** A look over very many endpoints must not become all that is done. */
const LOOK_SHARE = 20
const FAULT_MS = 1000

type Dependencies = {
  sql: Pool
  logger: Logger
  lanes: Lanes
  worker: Worker
  recorder: Recorder
  wakeUps: WakeUps
}

export type Engine = ReturnType<typeof createEngine>

/**
 * Keeps a worker going: at once when somebody hints that something is due, and
 * by looking now and then, for retries whose time has come and for hints that
 * nobody heard. Any number of engines, in any number of processes, share one
 * queue: the database decides who has what.
 */
export function createEngine({ sql, logger, lanes, worker, recorder, wakeUps }: Dependencies) {
  let isRunning = false
  let stepping: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let turn: NodeJS.Immediate | undefined
  let lookTimer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let notBefore = 0
  let ended = 0

  function schedule(): void {
    if (!isRunning || stepping || turn) return
    const waitMs = ended < ENDED_ENOUGH ? notBefore - performance.now() : 0
    if ((waitMs > 0 && timer) || !lanes.hasWork()) return
    if (waitMs > 0) timer = setTimeout(begin, waitMs)
    // At the end of this turn, so that one claim serves all who hint in it.
    else turn = setImmediate(begin)
  }

  function begin(): void {
    calm()
    stepping ??= step().finally(() => {
      stepping = undefined
      schedule()
    })
  }

  function calm(): void {
    clearTimeout(timer)
    clearImmediate(turn)
    timer = undefined
    turn = undefined
  }

  function whenEnded(): void {
    ended++
    schedule()
  }

  async function step(): Promise<void> {
    try {
      ended = 0
      const count = await worker.step(whenEnded)
      if (count >= PLENTY) notBefore = performance.now() + ROUND_MS
    } catch (err) {
      notBefore = performance.now() + FAULT_MS
      // However many end until then.
      ended = Number.NEGATIVE_INFINITY
      report(err)
    }
  }

  async function look(): Promise<void> {
    const due = await store.listDueEndpoints(sql)
    lanes.hint(due.map((row) => ({ organizationId: row.organization_id, endpointId: row.endpoint_id })))
    schedule()
  }

  function lookAgain(): void {
    const startedAt = performance.now()
    looking = look()
      .catch(report)
      .finally(() => {
        const pauseMs = Math.max(LOOK_EVERY_MS, LOOK_SHARE * (performance.now() - startedAt))
        if (isRunning) lookTimer = setTimeout(lookAgain, pauseMs)
      })
  }

  function report(err: unknown): void {
    if (isDatabaseAway(err)) logger.warn({ err }, 'deliveries wait for the database')
    else logger.error({ err }, 'the delivery engine failed at a step')
  }

  wakeUps.listen((endpoints: EndpointKey[]) => {
    if (!isRunning) return
    lanes.hint(endpoints)
    schedule()
  })

  return {
    start(): void {
      isRunning = true
      lookAgain()
    },

    /** Claims no more, lets what is under way end, and writes it down. */
    async stop(): Promise<void> {
      isRunning = false
      calm()
      clearTimeout(lookTimer)
      await looking
      await stepping
      await worker.settled()
      await recorder.flush()
    },

    /** Attempts all that is due at this moment, once, and writes it down. */
    async deliverDue(): Promise<void> {
      await look()
      while ((await worker.step(() => undefined)) > 0 || lanes.hasWork()) await worker.settled()
      await worker.settled()
      await recorder.flush()
    },
  }
}
