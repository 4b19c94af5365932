import type { Clock } from '../../../kernel/clock.ts'
import type { Sealing } from '../../../kernel/crypto/sealing.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Logger } from '../../../kernel/logger.ts'
import type { Audit } from '../../audit/service.ts'
import { addCounts, toCounts } from './counts.ts'
import type { Person } from './person.ts'
import { toPersonPlace } from './person-place.ts'
import type { Stage } from './schemas.ts'
import { type Place, type StageStep, type State, toJson } from './stages.ts'
import * as store from './store.ts'

/** Transactions that began before the request have ended by then, so that the erasure sees all that they stored. */
const START_AFTER_SECONDS = 10
/** The lease is longer than any batch takes. An erasure whose worker died continues after it. */
const LEASE_SECONDS = 60

type Dependencies = {
  sql: Pool
  now: Clock
  logger: Logger
  sealing: Sealing
  audit: Audit
  stages: Record<Stage, StageStep>
}

type Claim = store.ErasureKey & { claim: string }

/** Another worker has the erasure, so the transaction of this one must not be committed. */
class ClaimLost extends Error {}

/** Runs erasures batch by batch. A batch and its progress are one transaction; every write matches the claim. */
export function createErasureWorker({ sql, now, logger, sealing, audit, stages }: Dependencies) {
  let isRunning = false

  function open({ organization_id: organizationId, id, person }: store.ClaimedErasure): Person | undefined {
    const opened = sealing.open(person, toPersonPlace({ organizationId, id }))
    return opened === undefined ? undefined : JSON.parse(opened)
  }

  async function runSteps(claimed: store.ClaimedErasure, claim: Claim, person: Person): Promise<void> {
    const { organization_id: organizationId, requested_at: requestedAt, stage, place, counts } = claimed
    let state: State | undefined = {
      organizationId,
      requestedAt,
      person,
      stage: stage ?? 'messages',
      place: (place ?? {}) as Place,
      counts: toCounts(counts),
    }
    while (state) {
      const erase = await stages[state.stage](state)
      state = await sql.begin((tx) => takeStep(tx, { claimed, claim, state: state as State, erase }))
    }
  }

  /** Returns the next state; undefined if the erasure waits or is done. */
  async function takeStep(
    tx: Parameters<Awaited<ReturnType<StageStep>>>[0],
    s: { claimed: store.ClaimedErasure; claim: Claim; state: State; erase: Awaited<ReturnType<StageStep>> },
  ): Promise<State | undefined> {
    const { isWaiting, isDone, counts = {}, ...changes } = await s.erase(tx)
    const state: State = { ...s.state, ...changes, counts: addCounts(s.state.counts, counts) }
    if (isDone) {
      if (!(await store.markDone(tx, { ...s.claim, counts: state.counts }))) throw new ClaimLost()
      await recordDone(tx, s.claimed, state)
      return undefined
    }
    const sealed = sealing.seal(JSON.stringify(state.person), toPersonPlace(s.claim))
    const progress = { stage: state.stage, place: toJson(state.place), counts: state.counts, person: sealed }
    if (!(await store.saveProgress(tx, { ...s.claim, ...progress, leaseSeconds: LEASE_SECONDS }))) throw new ClaimLost()
    return isWaiting ? undefined : state
  }

  async function recordDone(tx: Parameters<Audit['record']>[0], claimed: store.ClaimedErasure, state: State) {
    const { id, requested_by_id, requested_by_name } = claimed
    await audit.record(tx, {
      organizationId: state.organizationId,
      initiator: { actor: { type: 'user', id: requested_by_id, name: requested_by_name }, ip: null, requestId: null },
      action: 'person.erased',
      target: { type: 'erasure', id },
      details: { counts: state.counts },
    })
  }

  async function run(claimed: store.ClaimedErasure, claim: Claim): Promise<void> {
    const person = open(claimed)
    if (!person) {
      logger.error({ erasure_id: claimed.id }, 'the person of an erasure cannot be read')
      return
    }
    try {
      await runSteps(claimed, claim, person)
    } catch (err) {
      if (!(err instanceof ClaimLost)) throw err
      logger.warn({ erasure_id: claimed.id }, 'another worker has the erasure')
    } finally {
      await store.releaseClaim(sql, claim)
    }
  }

  return {
    /**
     * Runs the erasures one after the other, each until it is done or has to wait. An erasure that fails is tried again by
     * the next run, and does not stop the others.
     */
    async runAll(): Promise<void> {
      if (isRunning) return
      isRunning = true
      const failures: unknown[] = []
      try {
        for (const seen: string[] = []; ; ) {
          const claim = newId(now())
          const lease = { claim, leaseSeconds: LEASE_SECONDS, afterSeconds: START_AFTER_SECONDS, except: seen }
          const claimed = await store.claimErasure(sql, lease)
          if (!claimed) break
          seen.push(claimed.id)
          await run(claimed, { organizationId: claimed.organization_id, id: claimed.id, claim }).catch((err) => {
            logger.error({ err, erasure_id: claimed.id }, 'a person could not be erased yet')
            failures.push(err)
          })
        }
        if (failures.length > 0) throw failures[0]
      } finally {
        isRunning = false
      }
    },
  }
}
