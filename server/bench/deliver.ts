import type { Benchmark, Result } from './benchmark.ts'
import { measureBacklogs } from './deliver-backlog.ts'
import { startDeliveringHub } from './deliver-hub.ts'
import { measureWaits } from './deliver-neighbour.ts'
import { measurePeers } from './deliver-peers.ts'
import { startReceiver } from './deliver-receiving.ts'
import { measureThroughput, type Shape } from './deliver-throughput.ts'

const SHAPES: Shape[] = [
  { endpoints: 200, rounds: 5 },
  { endpoints: 1, rounds: 3 },
  { endpoints: 10_000, rounds: 3 },
]

/**
 * What a delivery costs, from the claim to the last row that is written of it,
 * how long an event waits for it, and what disturbs neither. How each figure
 * comes about is in docs/benchmarks.md.
 */
export const deliver: Benchmark = {
  name: 'deliver',
  goal: 'to 200 endpoints at least 0.75 of a bare loop, with less than 0.05 statements a delivery',
  async run(stand) {
    await using receiver = await startReceiver()
    await using hub = await startDeliveringHub(stand, receiver.port)
    const scene = { stand, hub, receiver }
    const results: Result[] = []
    for (const shape of SHAPES) results.push(...(await measureThroughput(scene, shape)))
    results.push(...(await measurePeers(scene)))
    results.push(...(await measureWaits(scene)))
    results.push(...(await measureBacklogs(scene)))
    return results
  },
}
