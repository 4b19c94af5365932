import { Counter, type Registry } from 'prom-client'
import type { Context } from '../context.ts'

/** Metrics of billing: whether the payment provider can be reached. */
export function installBillingMetrics(registry: Registry, { sync }: Context): void {
  const syncs = new Counter({
    name: 'hubline_billing_syncs_total',
    help: 'Customers that were fetched from the payment provider, by how it ended',
    labelNames: ['outcome'],
    registers: [registry],
  })
  sync.observe((outcome) => syncs.inc({ outcome }))
}
