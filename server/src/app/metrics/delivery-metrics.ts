import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { SendResult } from '../../domains/webhooks/attempts/send-result.ts'
import type { Context } from '../context.ts'

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Metrics of the delivery engine: the queue's depth and age, the results and durations of attempts, and the streams of listeners and dashboards. */
export function installDeliveryMetrics(
  registry: Registry,
  { worker, engine, deferredFanOuts, listeners, liveUpdates }: Context,
): void {
  const registers = [registry]
  const attempts = new Counter({
    name: 'hubline_delivery_attempts_total',
    help: 'Delivery attempts by result',
    labelNames: ['outcome'],
    registers,
  })
  const durations = new Histogram({
    name: 'hubline_delivery_attempt_duration_seconds',
    help: 'Duration of delivery attempts, name resolution included',
    buckets: SECONDS,
    registers,
  })
  worker.observe((sendResult) => {
    attempts.inc({ outcome: toOutcomeLabel(sendResult) })
    durations.observe(sendResult.timings.totalMs / 1000)
  })
  const measureQueue = shareMeasurement(() => engine.measureQueue())
  new Gauge({
    name: 'hubline_delivery_queue_depth',
    help: 'Queued deliveries, counted up to 100,000',
    registers,
    async collect() {
      this.set((await measureQueue()).depth)
    },
  })
  new Gauge({
    name: 'hubline_delivery_oldest_due_seconds',
    help: 'Age of the longest overdue delivery',
    registers,
    async collect() {
      this.set((await measureQueue()).oldest_due_seconds)
    },
  })
  const measureFanOuts = shareMeasurement(() => deferredFanOuts.measureWaiting())
  new Gauge({
    name: 'hubline_deferred_fan_outs',
    help: 'Events with deliveries that are not queued yet, counted up to 100,000',
    registers,
    async collect() {
      this.set((await measureFanOuts()).waiting)
    },
  })
  new Gauge({
    name: 'hubline_deferred_fan_out_oldest_seconds',
    help: 'Age of the oldest event with deliveries that are not queued yet',
    registers,
    async collect() {
      this.set((await measureFanOuts()).oldest_seconds)
    },
  })
  new Gauge({
    name: 'hubline_spaced_endpoints',
    help: 'Active webhook endpoints that keep failing, whose attempts are made one at a time and spaced',
    registers,
    async collect() {
      this.set((await measureQueue()).spaced_endpoints)
    },
  })
  new Gauge({
    name: 'hubline_listener_streams',
    help: 'Open streams of listeners in this process',
    registers,
    collect() {
      this.set(listeners.countStreams())
    },
  })
  new Gauge({
    name: 'hubline_live_update_streams',
    help: 'Open streams of dashboards in this process',
    registers,
    collect() {
      this.set(liveUpdates.countStreams())
    },
  })
}

/** One measurement for all metrics of a scrape. */
function shareMeasurement<T>(measure: () => Promise<T>): () => Promise<T> {
  let measuring: Promise<T> | undefined
  return () => {
    measuring ??= measure().finally(() => {
      measuring = undefined
    })
    return measuring
  }
}

/** HTTP statuses by class: receivers must not be able to create new labels. */
function toOutcomeLabel({ ok, httpStatus, errorCode }: SendResult): string {
  if (ok) return 'succeeded'
  return httpStatus === null ? (errorCode ?? 'failed').toLowerCase() : `http_${Math.floor(httpStatus / 100)}xx`
}
