import type { AttemptRecord, Delivery, Webhook } from '@hubline/sdk/console'
import { WAITS_MS } from '../../../api/generated/definitions.gen.ts'

export const ATTEMPTS_MAX = WAITS_MS.length + 1

export type PlannedAttempt = { number: number } & (
  | { state: 'failed' | 'succeeded'; record: AttemptRecord; at: string }
  | { state: 'running' | 'unused' }
  | { state: 'next' | 'planned'; at: string | undefined }
)

/** The ten attempts of a delivery: those that were, the one that is, and when the others would be. */
export function planAttempts(
  delivery: Delivery,
  records: readonly AttemptRecord[],
  endpointStatus: Webhook['status'],
): PlannedAttempt[] {
  const isOpen = delivery.status === 'pending' || delivery.status === 'retry'
  const nextNumber = delivery.attempts + 1
  let dueMs = Date.parse(delivery.next_attempt_at)
  return Array.from({ length: ATTEMPTS_MAX }, (_, index): PlannedAttempt => {
    const number = index + 1
    const record = records.find((one) => one.number === number)
    if (record) return { number, state: isSuccess(record) ? 'succeeded' : 'failed', record, at: toStart(record) }
    if (delivery.status === 'processing' && number === delivery.attempts) return { number, state: 'running' }
    if (!isOpen || number < nextNumber) return { number, state: 'unused' }
    // A paused endpoint holds its deliveries, for as long as it is paused.
    if (endpointStatus !== 'active') return { number, state: number === nextNumber ? 'next' : 'planned', at: undefined }
    if (number > nextNumber) dueMs += WAITS_MS[number - 2] ?? 0
    return { number, state: number === nextNumber ? 'next' : 'planned', at: new Date(dueMs).toISOString() }
  })
}

/** Returns true for a delivery that has ended: it can be replayed. */
export function isFinal({ status }: Pick<Delivery, 'status'>): boolean {
  return status === 'succeeded' || status === 'dead' || status === 'canceled'
}

export function isSuccess({ http_status }: AttemptRecord): boolean {
  return http_status !== null && http_status >= 200 && http_status < 300
}

export function toStart({ ended_at, timings }: AttemptRecord): string {
  return new Date(Date.parse(ended_at) - (timings?.total_ms ?? 0)).toISOString()
}
