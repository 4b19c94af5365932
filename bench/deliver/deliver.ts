import { createPartitions } from '../../server/src/kernel/db/partitions.ts'
import type { Benchmark, Result } from '../benchmark.ts'
import { PARTITIONED } from '../growth/database.ts'
import { measureBacklogs } from './backlog.ts'
import { startDeliveryHub } from './delivery-hub.ts'
import { measureBesideLargeTenant } from './large-tenant.ts'
import { measureLatency } from './latency.ts'
import { startReceiver } from './receiver.ts'
import { measureThroughput, type Scenario } from './throughput.ts'

const SCENARIOS: Scenario[] = [
  { endpoints: 200, rounds: 5, behavior: 'ok', hasGoals: true },
  { endpoints: 200, rounds: 3, behavior: 'empty' },
  { endpoints: 1, rounds: 3, behavior: 'ok' },
  { endpoints: 10_000, rounds: 3, behavior: 'ok' },
  { endpoints: 200, rounds: 3, behavior: 'ok', isTls: true },
]

const PARTITION_DAYS = 40
const AFTER_A_MONTH: Scenario = { endpoints: 200, rounds: 3, behavior: 'ok', note: `${PARTITION_DAYS} partitions` }

const DAY_MS = 86_400_000

/**
 * Measures the cost of a delivery, from the claim to the last row that is written,
 * and the time that an event waits for its delivery. docs/benchmark-figures.md explains each figure.
 */
export const deliver: Benchmark = {
  name: 'deliver',
  summary: 'a delivery to a receiver, with a bare loop, and with itself beside silent receivers and a backlog',
  async run(stand) {
    await using receiver = await startReceiver()
    await using hub = await startDeliveryHub(stand, [receiver.port, receiver.tlsPort])
    const setup = { stand, hub, receiver }
    const results: Result[] = []
    const scenarios = stand.isQuick ? SCENARIOS.filter(({ hasGoals }) => hasGoals) : SCENARIOS
    for (const scenario of scenarios) results.push(...(await measureThroughput(setup, scenario)))
    results.push(...(await measureLatency(setup)))
    results.push(...(await measureBesideLargeTenant(setup)))
    if (stand.isQuick) return results
    const first = new Date(Date.now() - PARTITION_DAYS * DAY_MS)
    for (const table of PARTITIONED) await createPartitions(stand.sql, table, first, PARTITION_DAYS)
    results.push(...(await measureThroughput(setup, AFTER_A_MONTH)))
    results.push(...(await measureBacklogs(setup)))
    return results
  },
}
