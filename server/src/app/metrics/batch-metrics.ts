import { Counter, type Registry } from 'prom-client'
import { SHARED_BATCHES } from '../../kernel/db/batch-splits.ts'
import type { Context } from '../context.ts'

/** Metrics of shared statements: how often the database refused one. */
export function installBatchMetrics(registry: Registry, { batchSplits }: Context): void {
  const splits = new Counter({
    name: 'hubline_batch_splits_total',
    help: 'Batches that the database refused and that were written in parts, by batch',
    labelNames: ['batch'],
    registers: [registry],
  })
  // An alert on an increase needs a value from before the first split.
  for (const batch of SHARED_BATCHES) splits.inc({ batch }, 0)
  batchSplits.observe((batch) => splits.inc({ batch }))
}
