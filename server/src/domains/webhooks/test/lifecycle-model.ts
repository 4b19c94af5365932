import type { EndpointStatus } from '../endpoints/schemas.ts'
import type { Delivery } from '../log/schemas.ts'

const ATTEMPTS_MAX = 10
const PAUSE_AT = 20
const HELD_MS = 4 * 86_400_000
const LEASE_MS = 30_000

/** A delivery by the rules of the contract. With `isLastAttempt` no attempt follows the one in progress. */
export type ModelDelivery = {
  status: Delivery['status']
  attempts: number
  isLastAttempt: boolean
  leasedUntil: number
}

export type Model = ReturnType<typeof createModel>

/** One endpoint and its deliveries by the rules of the contract. Times are in milliseconds. */
export function createModel() {
  const deliveries = new Map<string, ModelDelivery>()
  const endpoint = { status: 'active' as EndpointStatus, failures: 0, pauses: 0, pausedAt: 0, isDeleted: false }

  const open = () => [...deliveries.values()].filter(({ status }) => !isFinal(status))

  /** Cancels open deliveries; those in progress have no further attempt. */
  function cancelOpen(): void {
    for (const known of open()) {
      known.isLastAttempt = true
      if (known.status !== 'processing') known.status = 'canceled'
    }
  }

  function conclude(known: ModelDelivery, isSuccess: boolean): void {
    if (isSuccess) known.status = 'succeeded'
    else if (known.attempts >= ATTEMPTS_MAX) known.status = 'dead'
    else known.status = known.isLastAttempt ? 'canceled' : 'retry'
  }

  function begin(ids: string[], now: number): void {
    for (const id of ids) {
      const known = deliveries.get(id)
      if (!known || isFinal(known.status) || known.status === 'processing' || endpoint.status !== 'active') {
        throw new Error(`${id} was attempted while it was ${known?.status} and its endpoint ${endpoint.status}`)
      }
      Object.assign(known, { status: 'processing', attempts: known.attempts + 1, leasedUntil: now + LEASE_MS })
    }
  }

  return {
    deliveries,
    endpoint,
    begin,

    add(id: string): void {
      deliveries.set(id, { status: 'pending', attempts: 0, isLastAttempt: false, leasedUntil: 0 })
    },

    /**
     * Finishes attempts; those that are no longer in progress change nothing. `counted` is the hub's count after them: only
     * the hub knows whether one of them was late enough in its run to be the twentieth failure.
     */
    end(ids: string[], isSuccess: boolean, now: number, counted: number): void {
      if (endpoint.isDeleted) return
      const ours = ids.flatMap((id) => deliveries.get(id) ?? []).filter(({ status }) => status === 'processing')
      for (const known of ours) conclude(known, isSuccess)
      if (ours.length === 0) return
      const failures = isSuccess ? 0 : endpoint.failures + ours.length
      const isCapped = failures >= PAUSE_AT && endpoint.failures < PAUSE_AT && counted === PAUSE_AT - 1
      endpoint.failures = isCapped ? counted : Math.min(failures, PAUSE_AT)
      if (endpoint.failures < PAUSE_AT || endpoint.status !== 'active') return
      Object.assign(endpoint, { status: 'paused', pausedAt: now, pauses: endpoint.pauses + 1 })
    },

    set(status: EndpointStatus, now: number): void {
      if (status === 'active') endpoint.failures = 0
      if (status === endpoint.status) return
      endpoint.status = status
      if (status === 'disabled') cancelOpen()
      if (status === 'paused') endpoint.pausedAt = now
    },

    delete(): void {
      endpoint.isDeleted = true
      deliveries.clear()
    },

    /** Expired claims fail without counting against the receiver, and deliveries held too long are canceled. */
    runJobs(now: number): void {
      for (const known of open()) {
        if (known.status === 'processing' && known.leasedUntil <= now) conclude(known, false)
      }
      if (endpoint.status === 'paused' && now - endpoint.pausedAt >= HELD_MS) cancelOpen()
    },
  }
}

export function isFinal(status: Delivery['status']): boolean {
  return status === 'succeeded' || status === 'dead' || status === 'canceled'
}
