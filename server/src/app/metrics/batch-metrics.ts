import { Counter, type Registry } from 'prom-client'
import type { Context } from '../context.ts'

/** Metrics of shared statements: how often the database refused one. */
export function installBatchMetrics(registry: Registry, { batchSplits }: Context): void {
  const splits = new Counter({
    name: 'hubline_batch_splits_total',
    help: 'Batches that the database refused and that were written in parts, by batch',
    labelNames: ['batch'],
    registers: [registry],
  })
  batchSplits.observe((batch) => splits.inc({ batch }))
}
