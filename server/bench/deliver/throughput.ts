import type { Result } from '../benchmark.ts'
import { gatherStatistics } from '../measurement.ts'
import { runBareLoop } from './bare-loop.ts'
import type { Setup } from './delivery-hub.ts'
import { type Measured, measure } from './measure.ts'
import { BODY_BYTES, deleteEndpoints, fillQueue, insertEndpoints } from './seed.ts'
import { pickMedianRound } from './statistics.ts'

const WARM_UP = 3000
const DELIVERIES = 10_000
/** The receivers of many organizations share a few hundred host names. */
const NAMES = 200

/** `behavior` is the receiver's: `ok`, which answers in varied ways, or `empty`. */
export type Scenario = { endpoints: number; rounds: number; behavior: 'ok' | 'empty' }

/** The hub drains a full queue, right after a bare loop has made as many requests. */
export async function measureThroughput({ stand, hub, receiver }: Setup, scenario: Scenario): Promise<Result[]> {
  const { port } = receiver
  const { behavior } = scenario
  const endpoints = await insertEndpoints(hub.context, scenario.endpoints, (index) =>
    buildReceiverUrl(index, port, behavior),
  )
  const bodies = Array.from({ length: DELIVERIES }, () => Buffer.alloc(BODY_BYTES, 'x'))
  await fillQueue(hub.publisher, endpoints, WARM_UP)
  await hub.drain(WARM_UP)
  await runBareLoop(port, bodies.slice(0, WARM_UP), behavior)
  const rounds: { bare: Measured; ours: Measured & { statements: number } }[] = []
  for (let round = 0; round < scenario.rounds; round++) {
    await fillQueue(hub.publisher, endpoints, DELIVERIES)
    await gatherStatistics(stand.sql)
    await receiver.received()
    const bare = await measure(DELIVERIES, hub.readCpu, () => runBareLoop(port, bodies, behavior))
    const ours = await hub.drain(DELIVERIES)
    const { posts } = await receiver.received()
    if (posts !== 2 * DELIVERIES) throw new Error(`The receiver got ${posts} requests instead of ${2 * DELIVERIES}`)
    rounds.push({ bare, ours })
  }
  await deleteEndpoints(stand.sql, endpoints)
  return toResults(
    pickMedianRound(rounds, ({ bare, ours }) => ours.perSecond / bare.perSecond),
    scenario,
  )
}

/** A URL whose host name the hub must resolve, as for a real receiver. */
export function buildReceiverUrl(index: number, port: number, behavior = 'ok'): string {
  return `http://r${index % NAMES}.bench.example:${port}/${behavior}/${index}`
}

type Round = { bare: Measured; ours: Measured & { statements: number } }

function toResults({ bare, ours }: Round, { endpoints, behavior }: Scenario): Result[] {
  const answers = behavior === 'empty' ? ', all answers empty' : ''
  const to = `${endpoints === 1 ? 'to 1 endpoint' : `to ${endpoints} endpoints`}${answers}`
  return [
    {
      what: `deliveries/s ${to}, of a bare loop that signs and posts`,
      measured: ours.perSecond,
      baseline: bare.perSecond,
    },
    { what: `a delivery ${to}`, value: ours.statements, unit: 'SQL statements' },
    {
      what: `a delivery ${to}, in the hub (the bare loop: ${bare.cpu.own.toFixed(0)})`,
      value: ours.cpu.own,
      unit: 'CPU µs',
    },
    { what: `a delivery ${to}, in the database`, value: ours.cpu.database, unit: 'CPU µs' },
  ]
}
