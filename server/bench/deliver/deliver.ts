import type { Benchmark, Result } from '../benchmark.ts'
import { measureBacklogs } from './backlog.ts'
import { startDeliveryHub } from './delivery-hub.ts'
import { measureLatency } from './latency.ts'
import { startReceiver } from './receiver.ts'
import { measureThroughput, type Scenario } from './throughput.ts'

const SCENARIOS: Scenario[] = [
  { endpoints: 200, rounds: 5, behavior: 'ok' },
  { endpoints: 200, rounds: 3, behavior: 'empty' },
  { endpoints: 1, rounds: 3, behavior: 'ok' },
  { endpoints: 10_000, rounds: 3, behavior: 'ok' },
]

/**
 * What a delivery costs, from the claim to the last row that is written, and how
 * long an event waits for its delivery. docs/benchmarks.md explains each figure.
 */
export const deliver: Benchmark = {
  name: 'deliver',
  goal: 'to 200 endpoints at least 0.75 of a bare loop, with less than 0.05 statements a delivery',
  async run(stand) {
    await using receiver = await startReceiver()
    await using hub = await startDeliveryHub(stand, receiver.port)
    const setup = { stand, hub, receiver }
    const results: Result[] = []
    for (const scenario of SCENARIOS) results.push(...(await measureThroughput(setup, scenario)))
    results.push(...(await measureLatency(setup)))
    results.push(...(await measureBacklogs(setup)))
    return results
  },
}
