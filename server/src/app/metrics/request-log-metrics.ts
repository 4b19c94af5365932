import { Counter, type Registry } from 'prom-client'
import { DROP_REASONS } from '../../domains/request-log/service.ts'
import type { Context } from '../context.ts'

/** Metrics of the request log: what it misses. */
export function installRequestLogMetrics(registry: Registry, { requestLog }: Context): void {
  const dropped = new Counter({
    name: 'hubline_request_log_dropped_total',
    help: 'Answered requests that the request log does not have, by reason',
    labelNames: ['reason'],
    registers: [registry],
  })
  // An alert on an increase needs a value from before the first drop.
  for (const reason of DROP_REASONS) dropped.inc({ reason }, 0)
  requestLog.observeDrops((reason, count) => dropped.inc({ reason }, count))
}
