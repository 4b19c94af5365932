import type { Result } from './benchmark.ts'
import { postBarely } from './deliver-bare.ts'
import type { Scene } from './deliver-hub.ts'
import { type Measured, measure } from './deliver-measure.ts'
import { middle } from './deliver-rounds.ts'
import { BODY_BYTES, fillQueue, makeEndpoints, removeEndpoints } from './deliver-seed.ts'
import { gatherStatistics } from './measuring.ts'

const WARM_UP = 3000
const DELIVERIES = 10_000
/** Receivers of many tenants live at a few hundred addresses. */
const NAMES = 200

export type Shape = { endpoints: number; rounds: number }

/**
 * A queue of deliveries that wait, drained by the hub, against as many posts of
 * a bare loop: each round is the one right after the other.
 */
export async function measureThroughput({ stand, hub, receiver }: Scene, shape: Shape): Promise<Result[]> {
  const { port } = receiver
  const endpoints = await makeEndpoints(hub.context, shape.endpoints, (index) => nameOf(index, port))
  const bodies = Array.from({ length: DELIVERIES }, () => Buffer.alloc(BODY_BYTES, 'x'))
  await fillQueue(hub.publisher, endpoints, WARM_UP)
  await hub.drain(WARM_UP)
  await postBarely(port, bodies.slice(0, WARM_UP))
  const rounds: { bare: Measured; ours: Measured & { statements: number } }[] = []
  for (let round = 0; round < shape.rounds; round++) {
    await fillQueue(hub.publisher, endpoints, DELIVERIES)
    await gatherStatistics(stand.sql)
    await receiver.received()
    const bare = await measure(DELIVERIES, hub.readCpu, () => postBarely(port, bodies))
    const ours = await hub.drain(DELIVERIES)
    const { posts } = await receiver.received()
    if (posts !== 2 * DELIVERIES) throw new Error(`The receiver had ${posts} posts, not ${2 * DELIVERIES}`)
    rounds.push({ bare, ours })
  }
  await removeEndpoints(stand.sql, endpoints)
  return resultsOf(
    middle(rounds, ({ bare, ours }) => ours.perSecond / bare.perSecond),
    shape,
  )
}

/** A name that the hub has to resolve, as it has to do for real ones. */
export function nameOf(index: number, port: number, manner = 'ok'): string {
  return `http://r${index % NAMES}.bench.example:${port}/${manner}/${index}`
}

type Round = { bare: Measured; ours: Measured & { statements: number } }

function resultsOf({ bare, ours }: Round, { endpoints }: Shape): Result[] {
  const to = endpoints === 1 ? 'to 1 endpoint' : `to ${endpoints} endpoints`
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
