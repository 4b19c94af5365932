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
type Stage = { receiver: Receiver; load: LoadProcess; readDatabaseCpu: () => Promise<number> }

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
    const first = await openInstallation(stand, receiver, 'first')
    const second = await openInstallation(stand, receiver, 'second')
    const split = await openInstallation(stand, receiver, 'split')
    await using br01 = await startHubProcess({ ...first.options, cell: 'br01' })
    await using us02 = await startHubProcess({ ...second.options, cell: 'us02' })
    await using edge = await startEdge([br01, us02])
    await using api = await startHubProcess({ ...split.options, role: 'api' })
    await using worker = await startHubProcess({ ...split.options, role: 'worker' })
    await receiveMarks(receiver, [first.mark, second.mark, split.mark])

    const ofFirst = { channels: first.channels, host: toHost('br01') }
    const ofSecond = { channels: second.channels, host: toHost('us02') }
    const one: Side = { what: 'one process', url: br01.url, targets: [{ channels: first.channels }], processes: [br01] }
    const sides: Side[] = [
      {
        what: 'ROLE=api and ROLE=worker',
        url: api.url,
        targets: [{ channels: split.channels }],
        processes: [api, worker],
      },
      { what: 'one cell behind HAProxy', url: edge.url, targets: [ofFirst], processes: [edge, br01] },
      { what: 'two cells behind HAProxy', url: edge.url, targets: [ofFirst, ofSecond], processes: [edge, br01, us02] },
    ]
    const readDatabaseCpu = await createDatabaseCpuMeter(stand.sql)
    return await compare(stand, { receiver, load, readDatabaseCpu }, one, sides)
  },
}

/** Each round of a side is compared with the round of the one process right before it. */
async function compare(stand: BenchmarkSetup, stage: Stage, one: Side, sides: Side[]): Promise<Result[]> {
  const { warmUps, rounds, events } = stand.isQuick ? QUICK : FULL
  for (let round = 1; round <= warmUps; round++) {
    stand.progress(`warming up, ${round} of ${warmUps}`)
    for (const side of [one, ...sides]) await pass(stage, side, events)
  }
  const pairs = new Map(sides.map((side) => [side, [] as { base: Passed; ours: Passed }[]]))
  for (let round = 1; round <= rounds; round++) {
    stand.progress(`round ${round} of ${rounds}`)
    for (const [side, measured] of pairs) {
      measured.push({ base: await pass(stage, one, events), ours: await pass(stage, side, events) })
    }
  }
  return [...pairs].flatMap(([{ what }, measured]) => {
    const of = `of ${what}, of ${one.what}`
    return (['perSecond', 'cpuMicros'] as const).map((figure) => {
      const pair = takeMedian(measured, ({ base, ours }) => ours[figure] / base[figure])
      const unit = figure === 'perSecond' ? 'events/s in bulk' : 'CPU microseconds an event in bulk'
      return { what: `${unit} ${of}`, measured: pair.ours[figure], baseline: pair.base[figure] }
    })
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
