import { randomUUID } from 'node:crypto'
import type { TestHub } from '../../../../../test/hub.ts'
import { newId } from '../../../../kernel/ids.ts'
import { computeRetryWaitMs } from '../../attempts/retry-schedule.ts'
import type * as claims from '../claims.ts'
import * as store from '../queue-store.ts'
import { createRecording } from '../recording-service.ts'

const LEASE_SECONDS = 30

/**
 * A worker of another process, step by step: it claims, and whether it comes to
 * the end of what it claimed is up to the test.
 */
export function startLostWorker({ context }: TestHub) {
  const { sql, audit, now } = context
  const recording = createRecording({ sql, audit })

  function keyOf(claimed: Claimed): claims.ClaimKey {
    const { organization_id: organizationId, endpoint_id: endpointId, id, claim } = claimed
    return { organizationId, endpointId, id, claim }
  }

  return {
    async claim({ id }: { id: string }, count = 1): Promise<Claimed[]> {
      const organizationId = await organizationOf(context.sql, id)
      const token = randomUUID()
      const wants = [{ organizationId, endpointId: id, count, knownVersion: 0 }]
      const claimed = await store.claim(sql, { wants, token, leaseSeconds: LEASE_SECONDS })
      return claimed.map((one) => ({ ...one, claim: token }))
    },

    release: (claimed: Claimed[]): Promise<void> => store.release(sql, claimed.map(keyOf), 0),

    /** Writes down that all of it ended so, or each as it did, in one batch. */
    async record(claimed: Claimed[], ended: boolean | ((one: Claimed) => boolean)): Promise<void> {
      await recording.record(
        claimed.map((one) => {
          const isSuccess = typeof ended === 'boolean' ? ended : ended(one)
          const waitMs = isSuccess ? null : computeRetryWaitMs(one.attempts, 0)
          return { ...keyOf(one), attemptId: newId(now()), isSuccess, waitMs, ...answered(isSuccess ? 200 : 500) }
        }),
      )
    },
  }
}

export type Claimed = claims.Claimed & { claim: string }

async function organizationOf(sql: TestHub['sql'], endpointId: string): Promise<string> {
  const [row] = await sql<{ organization_id: string }[]>`
    select organization_id from webhook_endpoints where id = ${endpointId}`
  if (!row) throw new Error('There is no such endpoint')
  return row.organization_id
}

function answered(httpStatus: 200 | 500) {
  const nothing = { requestHeaders: null, responseHeaders: null, responseBody: null, address: null, timings: null }
  return { httpStatus, errorCode: httpStatus === 200 ? null : 'HTTP_500', ...nothing }
}
