import type { Benchmark, Result } from '../benchmark.ts'
import { type Setup, startDeliveryHub } from '../deliver/delivery-hub.ts'
import { type Measured, measure } from '../deliver/measure.ts'
import { startReceiver } from '../deliver/receiver.ts'
import { deleteEndpoints, type Endpoint, fillQueue, insertEndpoints } from '../deliver/seed.ts'
import { pickMedianRound } from '../deliver/statistics.ts'
import { buildReceiverUrl } from '../deliver/throughput.ts'
import { gatherStatistics } from '../measurement.ts'
import { startBullmq } from './bullmq.ts'
import { startGraphile } from './graphile-worker.ts'
import { buildPeerJobs, type Peer, startPeerWork } from './peer.ts'
import { startPgBoss } from './pg-boss.ts'

const ENDPOINTS = 200
const WARM_UP = 1000
const DELIVERIES = 5000
const ROUNDS = 3

/** The same deliveries by established job queues, in batches where they can, in rounds that alternate with the hub. */
export const peers: Benchmark = {
  name: 'peers',
  summary: 'the same deliveries, with three job queues',
  async run(stand) {
    await using receiver = await startReceiver()
    await using hub = await startDeliveryHub(stand, [receiver.port])
    return await measurePeers({ stand, hub, receiver })
  },
}

async function measurePeers(setup: Setup): Promise<Result[]> {
  const { stand, hub, receiver } = setup
  const work = startPeerWork(stand.sql, receiver.port)
  const endpoints = await insertEndpoints(hub.context, ENDPOINTS, (index) => buildReceiverUrl(index, receiver.port))
  const results: Result[] = []
  try {
    const startPeers = [
      () => startGraphile(stand.databaseUrl, work),
      () => startPgBoss(stand.databaseUrl, work),
      () => startBullmq(work),
    ]
    for (const start of startPeers) {
      const peer = await start()
      if (peer) results.push(...(await compare(setup, endpoints, peer)))
      else results.push({ remark: 'BullMQ is not measured: no redis-server' })
    }
  } finally {
    await work.close()
    await deleteEndpoints(stand.sql, endpoints)
  }
  return results
}

async function compare(setup: Setup, endpoints: Endpoint[], started: Peer): Promise<Result[]> {
  await using peer = started
  const { stand, hub } = setup
  const rounds: { theirs: Measured; ours: Measured }[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const count = round === 0 ? WARM_UP : DELIVERIES
    await peer.fill(buildPeerJobs(endpoints, count))
    await fillQueue(hub.publisher, endpoints, count)
    await gatherStatistics(stand.sql)
    const theirs = await measure(
      count,
      () => readCpu(setup, peer),
      () => peer.drain(count),
    )
    const ours = await hub.drain(count)
    if (round > 0) rounds.push({ theirs, ours })
  }
  const { theirs, ours } = pickMedianRound(rounds, (round) => round.ours.perSecond / round.theirs.perSecond)
  const what = `a delivery in all processes but the receiver, of ${peer.name}`
  return [
    {
      what: `deliveries/s, of ${peer.name}`,
      measured: ours.perSecond,
      baseline: theirs.perSecond,
      goal: { atLeast: 1 },
    },
    {
      what: `CPU µs ${what}`,
      measured: ours.cpu.own + ours.cpu.database,
      baseline: theirs.cpu.own + theirs.cpu.database,
      goal: { atMost: 1 },
    },
  ]
}

/** The server that stores the jobs counts as database. */
async function readCpu({ hub }: Setup, peer: Peer) {
  const { own, database } = await hub.readCpu()
  return { own, database: database + ((await peer.readServerCpu?.()) ?? 0) }
}
