import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '../../server/src/kernel/ids.ts'
import type { Benchmark, BenchmarkSetup, Result } from '../benchmark.ts'
import { createDatabaseCpuMeter } from '../cpu.ts'
import { type Receiver, startReceiver } from '../deliver/receiver.ts'
import { quantile } from '../deliver/statistics.ts'
import { type LoadProcess, startLoadProcess } from '../load-process.ts'
import { now, receiveMarks } from '../pipeline/events.ts'
import type { HubProcess } from '../pipeline/hub-process.ts'
import { type Customer, createHubGateway, createOutpostGateway, createSvixGateway, type Gateway } from './gateway.ts'
import type { GatewayPaths } from './options.ts'

const CALLERS = 64
const QUIET_PER_SECOND = 100
/** After the last event of a round arrived, repeats of it may follow. */
const REPEATS_MS = 3000
const ARRIVAL_LIMIT_MS = 120_000

type Amounts = { warmUp: number; bulk: number; quietSeconds: number; killed: number }
const USUAL: Amounts = { warmUp: 2000, bulk: 10_000, quietSeconds: 20, killed: 2000 }
const QUICK: Amounts = { warmUp: 200, bulk: 1000, quietSeconds: 5, killed: 300 }

type Stage = { receiver: Receiver; load: LoadProcess; readDatabaseCpu: () => Promise<number> }

/** The figures of one gateway, by their titles. */
export type Column = { name: string; figures: Record<string, string> }

/**
 * Gateways for webhooks on the same machine and the same PostgreSQL, one after the other: each takes events through its
 * documented API and delivers them to the same receiver.
 */
export function createGateways(paths: GatewayPaths): Benchmark {
  return {
    name: 'gateways',
    summary: 'the same events through the hub and other gateways, each alone',
    async run(stand) {
      const columns = await measureGateways(stand, paths, stand.isQuick ? QUICK : USUAL)
      return buildTable(columns)
    },
  }
}

export async function measureGateways(
  stand: Omit<BenchmarkSetup, 'isQuick'>,
  paths: GatewayPaths,
  amounts: Amounts,
): Promise<Column[]> {
  await using receiver = await startReceiver()
  await using load = await startLoadProcess()
  const stage = { receiver, load, readDatabaseCpu: await createDatabaseCpuMeter(stand.sql) }
  const setup = { ...stand, receiverPort: receiver.port }
  const gateways = [await createHubGateway(setup)]
  if (paths.outpost !== undefined) gateways.push(await createOutpostGateway(paths.outpost, setup))
  if (paths.svix !== undefined) gateways.push(await createSvixGateway(paths.svix, setup))
  const columns: Column[] = []
  for (const gateway of gateways) {
    stand.progress(gateway.name)
    columns.push({ name: gateway.name, figures: await measure(stage, gateway, amounts) })
  }
  return columns
}

async function measure(stage: Stage, gateway: Gateway, amounts: Amounts): Promise<Record<string, string>> {
  const { warmUp, bulk, quietSeconds, killed } = amounts
  let running = await gateway.start()
  try {
    await gateway.addReceivers(running.url)
    await pass(stage, { gateway, running, count: warmUp })
    const busy = await pass(stage, { gateway, running, count: bulk })
    const quietPlan = { count: quietSeconds * QUIET_PER_SECOND, perSecond: QUIET_PER_SECOND }
    const quiet = await pass(stage, { gateway, running, ...quietPlan })
    const beside = await pass(stage, { gateway, running, ...quietPlan, hasNeighbor: true })
    const memory = await running.readMemory()
    const crash = await measureCrash(stage, gateway, running, killed)
    running = crash.running
    return {
      'events/s in bulk, from the first request to the last delivery': busy.perSecond.toFixed(0),
      'CPU µs an event in bulk, in the gateway and in PostgreSQL': formatCpu(busy.cpu),
      [`CPU µs an event at ${QUIET_PER_SECOND}/s, in the gateway and in PostgreSQL`]: formatCpu(quiet.cpu),
      [`ms of the acknowledgement at ${QUIET_PER_SECOND}/s, p50 and p99`]: formatQuantiles(quiet.acknowledgedMs),
      [`ms from the acknowledgement to the receiver at ${QUIET_PER_SECOND}/s, p50 and p99`]: formatQuantiles(
        quiet.receivedMs,
      ),
      'the same beside as many events to a silent receiver': formatQuantiles(beside.receivedMs),
      'MB of memory of the gateway': memory.toFixed(0),
      'after kill -9: lost and repeated, of those acknowledged': `${crash.lost}, ${crash.repeated} of ${crash.acknowledged}`,
    }
  } finally {
    await running[Symbol.asyncDispose]()
  }
}

type Pass = { gateway: Gateway; running: HubProcess; count: number; perSecond?: number; hasNeighbor?: boolean }

/** Posts events and waits until each has arrived. With a neighbor, each is followed by one to the silent receiver. */
async function pass({ receiver, load, readDatabaseCpu }: Stage, plan: Pass) {
  const { gateway, running, count, perSecond, hasNeighbor = false } = plan
  const marks = Array.from({ length: count }, () => newId())
  const posts = marks.flatMap((mark) => {
    const own = gateway.buildPost('answering', mark)
    return hasNeighbor ? [own, gateway.buildPost('silent', newId())] : [own]
  })
  const rate = perSecond === undefined ? {} : { perSecond: hasNeighbor ? 2 * perSecond : perSecond }
  await receiver.received()
  let [startedAt, own, database] = [0, 0, 0]
  const { answers } = await load.post(
    { url: running.url, posts, concurrency: CALLERS, status: gateway.accepted, ...rate },
    async () => {
      own = await running.readCpu()
      database = await readDatabaseCpu()
      startedAt = now()
    },
  )
  const arrivedAt = await receiveMarks(receiver, marks)
  const acknowledged = hasNeighbor ? answers.filter((_, i) => i % 2 === 0) : answers
  return {
    perSecond: (1000 * count) / (Math.max(...arrivedAt.values()) - startedAt),
    cpu: {
      own: ((await running.readCpu()) - own) / count,
      database: ((await readDatabaseCpu()) - database) / count,
    },
    acknowledgedMs: acknowledged.map(({ tookMs }) => tookMs),
    receivedMs: marks.map((mark, i) => Math.max(0, (arrivedAt.get(mark) ?? 0) - (acknowledged[i]?.at ?? 0))),
  }
}

/** Kills the gateway while it takes events, starts it again, and counts the acknowledged ones that arrive never or twice. */
async function measureCrash({ receiver }: Stage, gateway: Gateway, running: HubProcess, count: number) {
  await receiver.received()
  const acknowledged = new Set<string>()
  let next = 0
  async function post(): Promise<void> {
    while (next++ < count) {
      const mark = newId()
      const { path, headers, body } = gateway.buildPost('answering' satisfies Customer, mark)
      const answer = await fetch(`${running.url}${path}`, { method: 'POST', headers, body }).catch(() => undefined)
      await answer?.body?.cancel().catch(() => {})
      if (answer?.status === gateway.accepted) acknowledged.add(mark)
      if (!answer) return
    }
  }
  const posting = Promise.all(Array.from({ length: CALLERS }, post))
  while (acknowledged.size < count / 2) await delay(1)
  await running.kill()
  await posting
  const restarted = await gateway.start()
  const hits = new Map<string, number>()
  const deadline = now() + ARRIVAL_LIMIT_MS
  let lastAt = now()
  const lost = () => [...acknowledged].filter((mark) => !hits.has(mark)).length
  while (now() < deadline && (lost() > 0 || now() - lastAt < REPEATS_MS)) {
    for (const [mark] of (await receiver.received()).hits) {
      hits.set(mark, (hits.get(mark) ?? 0) + 1)
      lastAt = now()
    }
    await delay(50)
  }
  const repeated = [...acknowledged].filter((mark) => (hits.get(mark) ?? 0) > 1).length
  return { running: restarted, acknowledged: acknowledged.size, lost: lost(), repeated }
}

const formatCpu = ({ own, database }: { own: number; database: number }) => `${own.toFixed(0)} + ${database.toFixed(0)}`
const formatQuantiles = (values: number[]) =>
  [0.5, 0.99].map((share) => Number(quantile(values, share).toPrecision(3))).join(' and ')

function buildTable(columns: Column[]): Result[] {
  const titles = Object.keys(columns[0]?.figures ?? {})
  const lines = [
    ['', ...columns.map(({ name }) => name)],
    ['---', ...columns.map(() => '---')],
    ...titles.map((title) => [title, ...columns.map(({ figures }) => figures[title] ?? '')]),
  ]
  return lines.map((cells) => ({ remark: `| ${cells.join(' | ')} |` }))
}
