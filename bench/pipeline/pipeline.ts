import type { BenchChannel } from '../bench-hub.ts'
import type { Benchmark, BenchmarkSetup, Goal, Result } from '../benchmark.ts'
import { createDatabaseCpuMeter } from '../cpu.ts'
import { type Receiver, startReceiver } from '../deliver/receiver.ts'
import { quantile } from '../deliver/statistics.ts'
import { type LoadProcess, startLoadProcess } from '../load-process.ts'
import { gatherStatistics } from '../measurement.ts'
import { measureWritten, type Written } from '../written.ts'
import { inventNumbers, seedChannels } from './channels.ts'
import { now, passEvents, receiveMarks } from './events.ts'
import { type HubProcess, startHubProcess } from './hub-process.ts'
import { measureSoak } from './soak.ts'

const ENDPOINTS = [1, 50]
const BULK = 10_000
const WARM_UPS = 3
const ACKNOWLEDGED_MS = { p50: 3, p99: 10 }
/** The last one has no goals: it is for the sizing table of the operator's page. */
const PACES = [
  {
    perSecond: 100,
    seconds: 20,
    acknowledgedMs: ACKNOWLEDGED_MS,
    receivedMs: { p50: 0.7, p99: 2 },
    walKilobytes: 8.5,
  },
  { perSecond: 300, seconds: 10, acknowledgedMs: ACKNOWLEDGED_MS },
  { perSecond: 1000, seconds: 10 },
] as const

type Setup = { stand: BenchmarkSetup; hub: HubProcess; receiver: Receiver; load: LoadProcess }

/**
 * The whole way of an event: a signed callback with one message, its event, its delivery, and the receiver, which answers
 * an empty 200. The hub is a process of its own, as `npm start` runs it. With `minutes`, its memory under a steady load.
 */
export function createPipeline(minutes?: number): Benchmark {
  return {
    name: 'pipeline',
    summary: 'an event from the callback to the receiver, quiet and busy: latency, CPU time and memory',
    async run(stand) {
      await using receiver = await startReceiver()
      await using load = await startLoadProcess()
      const { channels, mark } = await seedChannels(stand, inventNumbers(Math.max(...ENDPOINTS)), receiver.port)
      if (minutes !== undefined) return await measureSoak({ stand, receiver, load, channels }, minutes)
      const startedAt = now()
      await using hub = await startHubProcess({ ...stand, receiverPort: receiver.port })
      const arrivedAt = (await receiveMarks(receiver, [mark])).get(mark) ?? Number.NaN
      const started: Result[] = [
        {
          what: 'from the start of the process to its first delivery',
          value: (arrivedAt - startedAt) / 1000,
          unit: 's',
          goal: { atMost: 1 },
        },
        { what: 'memory of the hub at rest', value: await hub.readMemory(), unit: 'MB', goal: { atMost: 150 } },
      ]
      const setup = { stand, hub, receiver, load }
      const passed: Result[] = []
      for (const count of stand.isQuick ? ENDPOINTS.slice(-1) : ENDPOINTS)
        passed.push(...(await measureEndpoints(setup, channels.slice(0, count))))
      const memory = { what: 'memory of the hub after all rounds', value: await hub.readMemory(), unit: 'MB' }
      return [...started, ...passed, { ...memory, goal: { atMost: 400 } }, ...(await measureEcho(receiver, load))]
    },
  }
}

/** Measures the machine itself: a request that another process answers at once, at the rate of the quiet figures. */
async function measureEcho({ port }: Receiver, load: LoadProcess): Promise<Result[]> {
  const [{ perSecond }] = PACES
  const posts = Array.from({ length: 10 * perSecond }, () => ({ path: '/empty/echo', headers: {}, body: '{}' }))
  const plan = { url: `http://127.0.0.1:${port}`, posts, concurrency: 1, status: 200, perSecond }
  const { answers } = await load.post(plan, async () => undefined)
  return describeLatency(
    answers.map(({ tookMs }) => tookMs),
    `a bare request to the receiver at ${perSecond} a second`,
  )
}

async function measureEndpoints(setup: Setup, channels: BenchChannel[]): Promise<Result[]> {
  const { stand, hub } = setup
  const to = channels.length === 1 ? 'to 1 endpoint' : `to ${channels.length} endpoints`
  const readDatabaseCpu = await createDatabaseCpuMeter(stand.sql)

  async function run(count: number, perSecond?: number) {
    const before = { hub: 0, database: 0 }
    const rate = perSecond === undefined ? {} : { perSecond }
    const passed = await passEvents(setup, { url: hub.url, channels, count, ...rate }, async () => {
      before.hub = await hub.readCpu()
      before.database = await readDatabaseCpu()
    })
    const own = ((await hub.readCpu()) - before.hub) / count
    const database = ((await readDatabaseCpu()) - before.database) / count
    return { ...passed, perSecond: count / passed.seconds, cpu: { hub: own, database } }
  }

  for (let round = 1; round <= WARM_UPS; round++) {
    stand.progress(`${to}, warming up, ${round} of ${WARM_UPS}`)
    await run(BULK / 5)
  }
  await gatherStatistics(stand.sql)
  stand.progress(`${to}, in bulk`)
  const bulk = await run(stand.isQuick ? BULK / 5 : BULK)
  const results: Result[] = [
    { what: `from callback to receiver, in bulk, ${to}`, value: bulk.perSecond, unit: 'events/s' },
    describeCpu(bulk.cpu, `in bulk, ${to}`),
  ]
  for (const { perSecond, seconds, ...goals } of PACES) {
    const at = `at ${perSecond} events/s, ${to}`
    stand.progress(at)
    const count = perSecond * (stand.isQuick ? 5 : seconds)
    let paced: Awaited<ReturnType<typeof run>> | undefined
    const pace = async () => {
      paced = await run(count, perSecond)
    }
    const written = await measureWritten(stand.sql, pace, count)
    paced ??= await run(count, perSecond)
    results.push(
      { what: `of ${perSecond} events/s, ${to}`, value: paced.perSecond, unit: 'events/s' },
      describeCpu(paced.cpu, at),
      ...('walKilobytes' in goals && written ? [describeWritten(written, at, goals.walKilobytes)] : []),
      ...describeLatency(
        paced.acknowledgedMs,
        `acknowledgement ${at}`,
        'acknowledgedMs' in goals ? goals.acknowledgedMs : undefined,
      ),
      ...describeLatency(
        paced.receivedMs,
        `from acknowledgement to receiver ${at}`,
        'receivedMs' in goals ? goals.receivedMs : undefined,
      ),
    )
  }
  return results
}

function describeCpu({ hub, database }: { hub: number; database: number }, where: string): Result {
  const split = `${hub.toFixed(0)} in the hub, ${database.toFixed(0)} in the database`
  return { what: `an event ${where}: ${split}`, value: hub + database, unit: 'CPU µs' }
}

function describeWritten({ walBytes }: Written, where: string, goalKilobytes: number): Result {
  const what = `write-ahead log of an event ${where}`
  return { what, value: walBytes / 1000, unit: 'KB', goal: { atMost: goalKilobytes } }
}

function describeLatency(values: number[], what: string, goals?: { p50: number; p99: number }): Result[] {
  const toGoal = (ms: number | undefined): { goal?: Goal } => (ms === undefined ? {} : { goal: { atMost: ms } })
  return [
    { what: `${what}: p50`, value: quantile(values, 0.5), unit: 'ms', ...toGoal(goals?.p50) },
    { what: `${what}: p99`, value: quantile(values, 0.99), unit: 'ms', ...toGoal(goals?.p99) },
  ]
}
