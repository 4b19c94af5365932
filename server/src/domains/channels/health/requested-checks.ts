import type { Clock } from '../../../kernel/clock.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { perMinute } from '../../../kernel/rate-limit/limit.ts'
import { countRequests } from '../../../kernel/rate-limit/store.ts'
import type { CheckExtent } from './service.ts'

/** Counted in the database, so that it holds over all processes. */
const CHECKS = perMinute('requested-channel-check', 1)
const CONCURRENT_CHECKS = 10
/** If more channels than this are in trouble at once, the rest waits for the hourly check. */
const REQUESTED_MAX = 10_000

type Key = { organizationId: string; id: string }
type Request = Key & { extent: CheckExtent; notBeforeMs: number }

export type RequestedChecks = ReturnType<typeof createRequestedChecks>

/**
 * Health checks that traffic asks for: the upstream refused a send for a reason that lies in the number or its account, or
 * reported a flag of the number. At most one per channel and minute; a request within the minute is kept until its end. A
 * request only notes the channel, and a job runs the checks: the request's own answer does not wait for them.
 */
export function createRequestedChecks({
  sql,
  now,
  check,
}: {
  sql: Pool
  now: Clock
  check: (key: Key, extent: CheckExtent) => Promise<void>
}) {
  const requested = new Map<string, Request>()

  /** Returns the requests that this process may run now. The others wait until the minute is over. */
  async function claim(requests: Request[]): Promise<Request[]> {
    const bySubject = new Map(requests.map((request) => [`${request.organizationId}:${request.id}`, request]))
    const claimed: Request[] = []
    for (const { subject, used, reset_seconds } of await countRequests(sql, CHECKS, [...bySubject.keys()])) {
      const request = bySubject.get(subject)
      if (!request) continue
      if (used <= CHECKS.requests) claimed.push(request)
      else request.notBeforeMs = now().getTime() + reset_seconds * 1000
    }
    for (const { id } of claimed) requested.delete(id)
    return claimed
  }

  return {
    request({ organizationId, id }: Key, extent: CheckExtent): void {
      const before = requested.get(id)
      if (before && extent === 'all') before.extent = extent
      if (before || requested.size >= REQUESTED_MAX) return
      requested.set(id, { organizationId, id, extent, notBeforeMs: 0 })
    },

    /** Runs the checks that are due, a few at a time. */
    async run(): Promise<void> {
      const nowMs = now().getTime()
      const due = [...requested.values()].filter(({ notBeforeMs }) => notBeforeMs <= nowMs)
      if (due.length === 0) return
      const claimed = await claim(due)
      const failures: unknown[] = []
      for (let i = 0; i < claimed.length; i += CONCURRENT_CHECKS) {
        const batch = claimed.slice(i, i + CONCURRENT_CHECKS)
        const results = await Promise.allSettled(batch.map((request) => check(request, request.extent)))
        failures.push(...results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])))
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}
