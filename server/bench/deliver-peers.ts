import type { Result } from './benchmark.ts'
import { startBullmq } from './deliver-bullmq.ts'
import { startGraphile } from './deliver-graphile.ts'
import type { Scene } from './deliver-hub.ts'
import { type Measured, measure } from './deliver-measure.ts'
import { type Peer, parcelsFor, startPeerWork } from './deliver-peer.ts'
import { startPgBoss } from './deliver-pg-boss.ts'
import { middle } from './deliver-rounds.ts'
import { type Endpoint, fillQueue, makeEndpoints, removeEndpoints } from './deliver-seed.ts'
import { nameOf } from './deliver-throughput.ts'
import { gatherStatistics } from './measuring.ts'

const ENDPOINTS = 200
const WARM_UP = 1000
const DELIVERIES = 5000
const ROUNDS = 3

/** The same deliveries by job queues that others trust, each in batches where it can, with the hub in between. */
export async function measurePeers(scene: Scene): Promise<Result[]> {
  const { stand, hub, receiver } = scene
  const work = startPeerWork(stand.sql, receiver.port)
  const endpoints = await makeEndpoints(hub.context, ENDPOINTS, (index) => nameOf(index, receiver.port))
  const results: Result[] = []
  try {
    const starters = [
      () => startGraphile(stand.databaseUrl, work),
      () => startPgBoss(stand.databaseUrl, work),
      () => startBullmq(work),
    ]
    for (const start of starters) {
      const peer = await start()
      if (peer) results.push(...(await compare(scene, endpoints, peer)))
      else results.push({ remark: 'BullMQ is not measured: no redis-server' })
    }
  } finally {
    await work.close()
    await removeEndpoints(stand.sql, endpoints)
  }
  return results
}

async function compare(scene: Scene, endpoints: Endpoint[], started: Peer): Promise<Result[]> {
  await using peer = started
  const { stand, hub } = scene
  const rounds: { theirs: Measured; ours: Measured }[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const count = round === 0 ? WARM_UP : DELIVERIES
    await peer.fill(parcelsFor(endpoints, count))
    await fillQueue(hub.publisher, endpoints, count)
    await gatherStatistics(stand.sql)
    const theirs = await measure(
      count,
      () => readCpu(scene, peer),
      () => peer.drain(count),
    )
    const ours = await hub.drain(count)
    if (round > 0) rounds.push({ theirs, ours })
  }
  const { theirs, ours } = middle(rounds, (round) => round.ours.perSecond / round.theirs.perSecond)
  const what = `a delivery in all processes but the receiver, of ${peer.name} (goal: below 1)`
  return [
    { what: `deliveries/s, of ${peer.name} (goal: above 1)`, measured: ours.perSecond, baseline: theirs.perSecond },
    {
      what: `CPU µs ${what}`,
      measured: ours.cpu.own + ours.cpu.database,
      baseline: theirs.cpu.own + theirs.cpu.database,
    },
  ]
}

/** Whatever stores the jobs counts as a database. */
async function readCpu({ hub }: Scene, peer: Peer) {
  const { own, database } = await hub.readCpu()
  return { own, database: database + ((await peer.readServerCpu?.()) ?? 0) }
}
