import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import type { Act } from '../../audit/act.ts'
import type { Audit } from '../../audit/service.ts'
import { counting } from '../../billing/usage/service.ts'
import { type Ending, UNREADABLE } from './claims.ts'
import { countFailures, PAUSE_AT } from './health.ts'
import * as health from './health-store.ts'
import * as store from './queue-store.ts'

const SYSTEM: Act = { actor: { type: 'system', id: null, name: null }, ip: null, requestId: null }

export type Recording = ReturnType<typeof createRecording>

/** Writes down how attempts ended, and what that says of their endpoints. */
export function createRecording({ sql, audit }: { sql: Pool; audit: Audit }) {
  return {
    /**
     * Endings in the order in which they came: one statement for the endpoints
     * that only succeeded, one transaction for the others. Together, each would
     * hold what it made well while it waits for what it counts, and two of them
     * could wait for each other.
     */
    async record(endings: Ending[]): Promise<void> {
      const failing = new Set(endings.filter(({ isSuccess }) => !isSuccess).map(({ endpointId }) => endpointId))
      const { well = [], ill = [] } = Object.groupBy(endings, ({ endpointId }) =>
        failing.has(endpointId) ? 'ill' : 'well',
      )
      if (well.length > 0) await store.finish(sql, well, counting)
      if (ill.length === 0) return
      await sql.begin(async (tx) => {
        const ours = new Set((await store.finish(tx, ill, counting)).map(({ id }) => id))
        await judge(
          tx,
          ill.filter(({ id }) => ours.has(id)),
        )
      })
    },
  }

  /** Endpoints are counted ending by ending. */
  async function judge(tx: Tx, endings: Ending[]): Promise<void> {
    const failing = [...Map.groupBy(endings, ({ endpointId }) => endpointId).values()]
    const keys = failing.flatMap(([first]) => (first ? [{ ...first }] : []))
    if (keys.length === 0) return
    const before = new Map(
      (await health.lockFailures(tx, keys)).map((row) => [row.endpoint_id, row.consecutive_failures]),
    )
    const verdicts = failing.flatMap((group) => {
      const [first] = group
      if (!first) return []
      const { organizationId, endpointId } = first
      const receivers = group.filter(({ errorCode }) => errorCode !== UNREADABLE)
      return [{ organizationId, endpointId, ...countFailures(before.get(endpointId) ?? 0, receivers) }]
    })
    await health.updateFailures(tx, verdicts)
    for (const { organizationId, endpointId, warnings } of verdicts) {
      for (const failures of warnings) await tell(tx, organizationId, endpointId, 'webhook.failing', failures)
    }
    const toPause = verdicts.filter(({ isPaused }) => isPaused)
    const paused = toPause.length === 0 ? [] : await health.pauseActive(tx, toPause)
    for (const { organization_id, id } of paused) await tell(tx, organization_id, id, 'webhook.paused', PAUSE_AT)
  }

  async function tell(tx: Tx, organizationId: string, id: string, action: string, failures: number): Promise<void> {
    const target = { type: 'webhook', id }
    await audit.record(tx, { organizationId, act: SYSTEM, action, target, details: { consecutive_failures: failures } })
  }
}
