import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { SendResult } from '../../domains/webhooks/attempts/send-result.ts'
import type { Context } from '../context.ts'

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What an operator watches of deliveries: how many wait, for how long, and how attempts end. */
export function installDeliveryMetrics(registry: Registry, { worker, upkeep }: Context): void {
  const registers = [registry]
  const attempts = new Counter({
    name: 'hubline_delivery_attempts_total',
    help: 'Attempts to deliver, by how they ended',
    labelNames: ['outcome'],
    registers,
  })
  const durations = new Histogram({
    name: 'hubline_delivery_attempt_duration_seconds',
    help: 'Time from the resolution of the name to the end of the attempt',
    buckets: SECONDS,
    registers,
  })
  worker.observe((outcome) => {
    attempts.inc({ outcome: labelOf(outcome) })
    durations.observe(outcome.timings.totalMs / 1000)
  })
  new Gauge({
    name: 'hubline_delivery_queue_depth',
    help: 'Deliveries that are not over, counted up to 100,000',
    registers,
    async collect() {
      this.set((await upkeep.figures()).depth)
    },
  })
  new Gauge({
    name: 'hubline_delivery_oldest_due_seconds',
    help: 'For how long the delivery that is due longest has waited',
    registers,
    async collect() {
      this.set((await upkeep.figures()).oldest_due_seconds)
    },
  })
}

/** Statuses by their class: a label must not grow with what receivers think of. */
function labelOf({ ok, httpStatus, errorCode }: SendResult): string {
  if (ok) return 'succeeded'
  return httpStatus === null ? (errorCode ?? 'failed').toLowerCase() : `http_${Math.floor(httpStatus / 100)}xx`
}
