import { migrate } from '../../server/src/kernel/db/migrate.ts'
import { openPool } from '../../server/src/kernel/db/pool.ts'
import { findMissing } from '../../server/test/poolers/programs.ts'
import type { BenchChannel } from '../bench-hub.ts'
import type { Benchmark, BenchmarkSetup, Result } from '../benchmark.ts'
import { toDatabaseUrl } from '../counting-database.ts'
import { createDatabaseCpuMeter } from '../cpu.ts'
import { type Receiver, startReceiver } from '../deliver/receiver.ts'
import { type LoadProcess, startLoadProcess } from '../load-process.ts'
import { buildMarked, inventNumbers, seedChannels } from '../pipeline/channels.ts'
import { now, receiveMarks } from '../pipeline/events.ts'
import { type HubProcess, startHubProcess } from '../pipeline/hub-process.ts'
import { startEdge, toHost } from './edge.ts'

const CHANNELS = 10
const CALLERS = 64
const FULL = { warmUps: 10, rounds: 9, events: 4000 }
const QUICK = { warmUps: 5, rounds: 5, events: 1000 }

/** The channels of an installation, and the process that takes its callbacks, by the host that its requests name. */
type Target = { channels: BenchChannel[]; host?: string }
type Side = { what: string; url: string; targets: Target[]; processes: HubProcess[] }
type Passed = { perSecond: number; cpuMicros: number }
type Stage = { stand: BenchmarkSetup; receiver: Receiver; load: LoadProcess; readDatabaseCpu: () => Promise<number> }

/**
 * The way of an event through each step of docs/scaling.md: one process, a process for callbacks and one for deliveries on one
 * database, and cells with a database each behind HAProxy. All share the cores and one server of PostgreSQL with each other,
 * with the load and with the receiver, so that CPU time for an event says more here than events a second.
 */
export const processes: Benchmark = {
  name: 'processes',
  summary: 'an event through two processes, and through cells behind HAProxy, with one through one process',
  async run(stand) {
    const missing = await findMissing('haproxy', process.env.HAPROXY_PATH)
    if (missing) return [{ remark: `Not measured: ${missing}.` }]
    await using receiver = await startReceiver()
    await using load = await startLoadProcess()
    const stage = { stand, receiver, load, readDatabaseCpu: await createDatabaseCpuMeter(stand.sql) }
    const first = await openInstallation(stand, receiver, 'first')
    await using br01 = await startHubProcess({ ...first.options, cell: 'br01' })
    await receiveMarks(receiver, [first.mark])
    const one: Side = { what: 'one process', url: br01.url, targets: [{ channels: first.channels }], processes: [br01] }
    return [...(await measureRoles(stage, one)), ...(await measureCells(stage, one, br01))]
  },
}

/** Not beside the cells: the server of PostgreSQL has a hundred connections. */
async function measureRoles(stage: Stage, one: Side): Promise<Result[]> {
  const { stand, receiver } = stage
  const { channels, mark, options } = await openInstallation(stand, receiver, 'split')
  await using api = await startHubProcess({ ...options, role: 'api' })
  await using worker = await startHubProcess({ ...options, role: 'worker' })
  await receiveMarks(receiver, [mark])
  const processes = [api, worker]
  return await compare(stage, one, {
    what: 'ROLE=api and ROLE=worker',
    url: api.url,
    targets: [{ channels }],
    processes,
  })
}

async function measureCells(stage: Stage, one: Side, br01: HubProcess): Promise<Result[]> {
  const { stand, receiver } = stage
  const second = await openInstallation(stand, receiver, 'second')
  await using us02 = await startHubProcess({ ...second.options, cell: 'us02' })
  await receiveMarks(receiver, [second.mark])
  await using edge = await startEdge([br01, us02])
  const { url } = edge
  const ofFirst = one.targets.map((target) => ({ ...target, host: toHost('br01') }))
  const ofBoth = [...ofFirst, { channels: second.channels, host: toHost('us02') }]
  const single = { what: 'one cell behind HAProxy', url, targets: ofFirst, processes: [edge, br01] }
  const both = { what: 'two cells behind HAProxy', url, targets: ofBoth, processes: [edge, br01, us02] }
  return [...(await compare(stage, one, single)), ...(await compare(stage, one, both))]
}

/** Each round of a side is compared with the round of the one process right before it. */
async function compare(stage: Stage, one: Side, side: Side): Promise<Result[]> {
  const { isQuick, progress } = stage.stand
  const { warmUps, rounds, events } = isQuick ? QUICK : FULL
  for (let round = 1; round <= warmUps; round++) {
    progress(`${side.what}, warming up, ${round} of ${warmUps}`)
    for (const each of [one, side]) await pass(stage, each, events)
  }
  const pairs: { base: Passed; ours: Passed }[] = []
  for (let round = 1; round <= rounds; round++) {
    progress(`${side.what}, round ${round} of ${rounds}`)
    pairs.push({ base: await pass(stage, one, events), ours: await pass(stage, side, events) })
  }
  return (['perSecond', 'cpuMicros'] as const).map((figure) => {
    const pair = takeMedian(pairs, ({ base, ours }) => ours[figure] / base[figure])
    const unit = figure === 'perSecond' ? 'events/s in bulk' : 'CPU microseconds an event in bulk'
    const what = `${unit} of ${side.what}, of ${one.what}`
    return { what, measured: pair.ours[figure], baseline: pair.base[figure] }
  })
}

function takeMedian<T>(values: T[], toNumber: (value: T) => number): T {
  const sorted = values.toSorted((a, b) => toNumber(a) - toNumber(b))
  const median = sorted[Math.floor(sorted.length / 2)]
  if (median === undefined) throw new Error('A benchmark needs a round')
  return median
}

/** Posts callbacks to the targets in turn, and waits until each event has arrived. */
async function pass(stage: Stage, { url, targets, processes: running }: Side, count: number): Promise<Passed> {
  const share = count / targets.length
  const shares = targets.map(({ channels, host }) =>
    buildMarked(channels, share).map(({ mark, post }) => ({
      mark,
      post: host === undefined ? post : { ...post, headers: { ...post.headers, host } },
    })),
  )
  const marked = Array.from({ length: share }, (_, i) => shares.flatMap((each) => each.slice(i, i + 1))).flat()
  const readCpu = async () => {
    const parts = await Promise.all([stage.readDatabaseCpu(), ...running.map((each) => each.readCpu())])
    return parts.reduce((sum, part) => sum + part, 0)
  }
  await stage.receiver.received()
  let [startedAt, cpuBefore] = [0, 0]
  const posts = marked.map(({ post }) => post)
  await stage.load.post({ url, posts, concurrency: CALLERS, status: 200 }, async () => {
    cpuBefore = await readCpu()
    startedAt = now()
  })
  const arrivedAt = await receiveMarks(
    stage.receiver,
    marked.map(({ mark }) => mark),
  )
  const cpuMicros = ((await readCpu()) - cpuBefore) / marked.length
  return { perSecond: marked.length / ((Math.max(...arrivedAt.values()) - startedAt) / 1000), cpuMicros }
}

/** A database of its own on the benchmark's server, with channels and endpoints. */
async function openInstallation(stand: BenchmarkSetup, { port }: Receiver, name: string) {
  const database = `bench_processes_${name}`
  await stand.sql.unsafe(`create database ${database}`)
  const databaseUrl = toDatabaseUrl(stand.databaseUrl, database)
  const sql = openPool(databaseUrl, { max: 5, name: 'bench' })
  try {
    await migrate(sql)
    const seeded = await seedChannels({ sql, keyRing: stand.keyRing }, inventNumbers(CHANNELS), port)
    return { ...seeded, options: { databaseUrl, keyRing: stand.keyRing, receiverPort: port } }
  } finally {
    await sql.end()
  }
}
