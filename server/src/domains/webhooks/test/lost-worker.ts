import type { TestHub } from '../../../../test/hub.ts'
import { newId } from '../../../kernel/ids.ts'
import { createLogger } from '../../../kernel/logger.ts'
import { computeRetryWaitMs } from '../attempts/retry-schedule.ts'
import { createEndpointHealth } from '../endpoints/health.ts'
import { buildClaimToken } from '../engine/claim-token.ts'
import type { ClaimedDelivery, ClaimKey } from '../engine/delivery.ts'
import { claimDue, releaseClaims } from '../engine/store.ts'
import { toClaimKey } from '../results/attempt-result.ts'
import { createResultWriter } from '../results/result-writer.ts'

const LEASE_SECONDS = 30
const silent = createLogger('silent', { write: () => undefined })

/** A worker of another process: the test decides whether it finishes its claims, and whether they name a lock. */
export function startLostWorker(
  { context }: TestHub,
  readLockKey: () => number | null = () => null,
  leaseSeconds = LEASE_SECONDS,
) {
  const { sql, audit, now, liveUpdates } = context
  const { writeResults } = createResultWriter({
    sql,
    health: createEndpointHealth({ audit, logger: silent, publish: context.publish }),
    liveUpdates,
  })

  const toKey = (claimed: Claimed): ClaimKey => toClaimKey(claimed, claimed.claimToken)

  return {
    async claim({ id }: { id: string }, count = 1): Promise<Claimed[]> {
      const organizationId = await readOrganization(context.sql, id)
      const claimToken = buildClaimToken(readLockKey())
      const requests = [{ organizationId, endpointId: id, count, knownVersion: 0 }]
      const claimed = await claimDue(sql, { requests, claimToken, leaseSeconds })
      return claimed.map((one) => ({ ...one, claimToken }))
    },

    release: (claimed: Claimed[]): Promise<void> => releaseClaims(sql, claimed.map(toKey), 0),

    /** Writes the results of the claimed deliveries in one batch: the same for all, or one by one. */
    async record(claimed: Claimed[], ended: boolean | ((one: Claimed) => boolean)): Promise<void> {
      await writeResults(
        claimed.map((one) => {
          const isSuccess = typeof ended === 'boolean' ? ended : ended(one)
          const waitMs = isSuccess ? null : computeRetryWaitMs(one.attempts, 0)
          return { ...toKey(one), attemptId: newId(now()), isSuccess, waitMs, ...answered(isSuccess ? 200 : 500) }
        }),
      )
    },
  }
}

export type Claimed = ClaimedDelivery & { claimToken: string }

async function readOrganization(sql: TestHub['sql'], endpointId: string): Promise<string> {
  const [row] = await sql<{ organization_id: string }[]>`
    select organization_id from webhook_endpoints where id = ${endpointId}`
  if (!row) throw new Error('There is no such endpoint')
  return row.organization_id
}

function answered(httpStatus: 200 | 500) {
  const nothing = {
    requestHeaders: null,
    responseHeaders: null,
    responseBody: null,
    address: null,
    timings: null,
    latencyMs: 12,
  }
  return { httpStatus, errorCode: httpStatus === 200 ? null : 'HTTP_500', ...nothing }
}
