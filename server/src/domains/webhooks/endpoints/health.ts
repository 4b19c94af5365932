import { afterCommit, type Tx } from '../../../kernel/db/pool.ts'
import type { Logger } from '../../../kernel/logger.ts'
import { type Change, listChanges } from '../../audit/changes.ts'
import { SYSTEM } from '../../audit/initiator.ts'
import type { Audit } from '../../audit/service.ts'
import type { NewEvent } from '../../events/catalog.ts'
import type { EndpointKey } from '../wake-ups.ts'
import { countFailures, PAUSE_AT } from './failure-count.ts'
import * as store from './health-store.ts'
import { beginPauses } from './pauses-store.ts'

/** Part of the statement that writes successes: it clears the failure counts of `(organization_id, endpoint_id)`. */
export const { buildFailureReset } = store

/** `isByReceiver` is false for an attempt that failed inside the hub. */
type CountedResult = {
  organizationId: string
  endpointId: string
  claimToken: string
  isSuccess: boolean
  isByReceiver: boolean
}

type Dependencies = { audit: Audit; logger: Logger; publish: (tx: Tx, events: NewEvent[]) => Promise<void> }

export type EndpointHealth = ReturnType<typeof createEndpointHealth>

/**
 * Counts consecutive failures, warns in the audit log, and pauses endpoints that keep failing.
 *
 * A run begins with the first failure after a success. From its fifth failure on, one attempt at a time is made over all
 * processes: `claimDue` gives it the turn, and `next_attempt_at` of the health row is when the next one may start. So a
 * receiver that fails for a moment does not reach the twentieth failure in that moment, however many events it gets. Only
 * an attempt that has the turn can be the twentieth. A success deletes the row, which ends the run in every process.
 */
export function createEndpointHealth({ audit, logger, publish }: Dependencies) {
  async function recordFailures(
    tx: Tx,
    action: 'webhook.failing' | 'webhook.paused',
    e: { organizationId: string; endpointId: string; failures: number; changes?: Record<string, Change> },
  ): Promise<void> {
    await audit.record(tx, {
      organizationId: e.organizationId,
      initiator: SYSTEM,
      action,
      target: { type: 'webhook', id: e.endpointId },
      details: { consecutive_failures: e.failures, ...(e.changes && { changes: e.changes }) },
    })
  }

  function warnOfSpacing({ organizationId, endpointId, failures }: EndpointKey & { failures: number }): void {
    logger.warn(
      { organization_id: organizationId, endpoint_id: endpointId, consecutive_failures: failures },
      'endpoint keeps failing, its attempts are spaced',
    )
  }

  return {
    /** Takes results in the order in which the attempts ended. */
    async countResults(tx: Tx, results: CountedResult[]): Promise<void> {
      const endpoints = groupByEndpoint(results)
      if (endpoints.length === 0) return
      const locked = await store.lockFailures(tx, endpoints)
      const before = new Map(locked.map((row) => [row.endpoint_id, row]))
      const counts = endpoints.map(({ organizationId, endpointId, results }) => {
        const { consecutive_failures = 0, pausing_claim = null } = before.get(endpointId) ?? {}
        const counted = results.map((result) => ({ ...result, canPause: result.claimToken === pausing_claim }))
        return { organizationId, endpointId, ...countFailures(consecutive_failures, counted) }
      })
      await store.updateFailures(tx, counts)
      for (const { warnings, ...endpoint } of counts) {
        for (const failures of warnings) await recordFailures(tx, 'webhook.failing', { ...endpoint, failures })
      }
      const spaced = counts.filter(({ isSpacedNow }) => isSpacedNow)
      if (spaced.length > 0) afterCommit(tx, () => spaced.forEach(warnOfSpacing))
      const failed = counts.filter(({ isPaused }) => isPaused)
      const paused = failed.length === 0 ? [] : await store.pauseActive(tx, failed)
      if (paused.length > 0) await beginPauses(tx, paused, { cause: 'failures', actor: null })
      const changes = listChanges({ status: 'active' }, { status: 'paused' })
      for (const endpoint of paused)
        await recordFailures(tx, 'webhook.paused', { ...endpoint, failures: PAUSE_AT, changes })
      // The endpoint itself does not receive it, because it is not active any more. Inspectors are known to the dashboard only.
      await publish(tx, paused.filter(({ isInspector }) => !isInspector).map(toPausedEvent))
    },
  }
}

function toPausedEvent({ organizationId, endpointId, name, since }: store.PausedEndpoint): NewEvent {
  const data = { webhook: { id: endpointId, name }, failures: PAUSE_AT, since }
  return { organizationId, kind: 'endpoint.paused', channelId: null, data }
}

/** Includes endpoints without a result of the receiver: their rows are locked and written too. */
function groupByEndpoint(results: CountedResult[]) {
  return [...Map.groupBy(results, ({ endpointId }) => endpointId)].flatMap(([endpointId, [first, ...rest]]) => {
    if (!first) return []
    const { organizationId } = first
    return [{ organizationId, endpointId, results: [first, ...rest].filter(({ isByReceiver }) => isByReceiver) }]
  })
}
