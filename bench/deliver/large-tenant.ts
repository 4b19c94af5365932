import type { Result } from '../benchmark.ts'
import type { Setup } from './delivery-hub.ts'
import { measureLatencies, PER_SECOND, SECONDS } from './latency.ts'
import { buildEvent, deleteEndpoints, type Endpoint, insertEndpoints, insertEndpointsOfOne } from './seed.ts'
import { pickMedianRound, quantile } from './statistics.ts'
import { buildReceiverUrl } from './throughput.ts'

const ROUNDS = 3
const ENDPOINTS = 1000
const WATCHED = 50
/** Events of the large tenant that are not delivered yet. Each is a delivery for each of its endpoints. */
const OPEN_MAX = 10

type Round = { alone: number[]; besideLarge: number[]; largePerSecond: number }

/**
 * The time from the commit of an event until its receiver has read it: without neighbors, then beside an organization with
 * 1,000 endpoints that always has events to deliver to all of them.
 */
export async function measureBesideLargeTenant(setup: Setup): Promise<Result[]> {
  const { hub, stand, receiver } = setup
  const watched = await insertEndpoints(hub.context, WATCHED, (index) =>
    buildReceiverUrl(index, receiver.port, 'timed'),
  )
  const large = await insertEndpointsOfOne(hub.context, ENDPOINTS, (index) =>
    buildReceiverUrl(index, receiver.port, 'ok'),
  )
  const rounds: Round[] = []
  const count = stand.isQuick ? 1 : ROUNDS
  hub.context.engine.start()
  try {
    await measureLatencies(setup, watched, 2)
    for (let round = 1; round <= count; round++) {
      stand.progress(`beside a tenant with ${ENDPOINTS} endpoints, round ${round} of ${count}`)
      const alone = await measureLatencies(setup, watched, SECONDS)
      const load = keepBusy(setup, large)
      await measureLatencies(setup, watched, 2)
      load.countFromNow()
      const besideLarge = await measureLatencies(setup, watched, SECONDS)
      rounds.push({ alone, besideLarge, largePerSecond: await load.stop() })
    }
  } finally {
    await hub.context.engine.stop()
    await deleteEndpoints(stand.sql, [...watched, ...large])
  }
  return toResults(rounds)
}

/** Publishes an event to all endpoints of the tenant as soon as fewer than `OPEN_MAX` events are open. */
function keepBusy({ hub: { context, publisher } }: Setup, [endpoint]: Endpoint[]) {
  if (!endpoint) throw new Error('The tenant has no endpoints')
  let isRunning = true
  let [published, attempts, counted, countedFrom] = [0, 0, 0, performance.now()]
  context.worker.observe(() => {
    attempts++
    counted++
  })
  async function run(): Promise<void> {
    while (isRunning) {
      if (published - attempts / ENDPOINTS < OPEN_MAX) {
        published++
        await publisher.sql.begin((tx) => publisher.publish(tx, [buildEvent(endpoint as Endpoint)]))
      } else await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const running = run()
  return {
    countFromNow(): void {
      counted = 0
      countedFrom = performance.now()
    },

    /** Resolves with the attempts a second when nothing is left to deliver. */
    async stop(): Promise<number> {
      const perSecond = counted / ((performance.now() - countedFrom) / 1000) - PER_SECOND
      isRunning = false
      await running
      while (attempts < published * ENDPOINTS) await new Promise((resolve) => setTimeout(resolve, 50))
      return perSecond
    },
  }
}

function toResults(rounds: Round[]): Result[] {
  const p99s = rounds.map(({ alone, besideLarge, largePerSecond }) => ({
    baseline: quantile(alone, 0.99),
    measured: quantile(besideLarge, 0.99),
    p50: quantile(besideLarge, 0.5),
    largePerSecond,
  }))
  const { p50, largePerSecond, ...p99 } = pickMedianRound(p99s, ({ measured, baseline }) => measured / baseline)
  const beside = `from commit to receiver at ${PER_SECOND} events/s, beside a tenant with ${ENDPOINTS} endpoints at full rate`
  return [
    { what: `ms ${beside}, of none: p99`, ...p99, goal: { atMost: 1.5 } },
    { what: `${beside}: p50`, value: p50, unit: 'ms' },
    { what: `deliveries/s of that tenant meanwhile`, value: largePerSecond, unit: 'deliveries/s' },
  ]
}
