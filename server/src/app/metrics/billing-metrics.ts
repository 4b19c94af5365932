import { Counter, type Registry } from 'prom-client'
import type { Context } from '../context.ts'

/** What an operator watches of billing: whether the provider can be asked. */
export function installBillingMetrics(registry: Registry, { sync }: Context): void {
  const syncs = new Counter({
    name: 'hubline_billing_syncs_total',
    help: 'Customers that were fetched from the payment provider, by how it ended',
    labelNames: ['outcome'],
    registers: [registry],
  })
  sync.observe((outcome) => syncs.inc({ outcome }))
}
