import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '../../server/src/kernel/ids.ts'
import type { Benchmark, BenchmarkSetup, Result } from '../benchmark.ts'
import { createDatabaseCpuMeter } from '../cpu.ts'
import { type Receiver, startReceiver } from '../deliver/receiver.ts'
import { quantile } from '../deliver/statistics.ts'
import { type LoadProcess, startLoadProcess } from '../load-process.ts'
import { now } from '../pipeline/events.ts'
import type { HubProcess } from '../pipeline/hub-process.ts'
import { type Beside, findBeside } from './beside.ts'
import { createHubGateway, createOutpostGateway, createSvixGateway, type Gateway } from './gateway.ts'
import type { GatewayPaths } from './options.ts'
import { buildTable, type Column, type Figure, pickValues } from './table.ts'

const CALLERS = 64
const PACES = [100, 300]
/** After the last event of a round arrived, repeats of it may follow. */
const REPEATS_MS = 3000
const ARRIVAL_LIMIT_MS = 120_000

/**
 * A steady stream is measured for `seconds`, `leadSeconds` after its begin: a gateway that writes its log every ten seconds
 * pays for as many events as it takes. `settleSeconds` is how long it may write after events in bulk.
 */
type Amounts = {
  rounds: number
  warmUp: number
  bulk: number
  settleSeconds: number
  leadSeconds: number
  seconds: number
  killed: number
}
const USUAL: Amounts = {
  rounds: 3,
  warmUp: 3000,
  bulk: 10_000,
  settleSeconds: 11,
  leadSeconds: 10,
  seconds: 20,
  killed: 2000,
}
const QUICK: Amounts = { ...USUAL, rounds: 1, warmUp: 1000, bulk: 2000, seconds: 10, killed: 300 }

type Stage = { receiver: Receiver; load: LoadProcess; readDatabaseCpu: () => Promise<number>; amounts: Amounts }
type Target = { gateway: Gateway; running: HubProcess; beside: Beside }
type Cpu = { own: number; database: number; beside: number }

const sum = ({ own, database, beside }: Cpu) => own + database + beside
const nameCpu = (where: string) => `CPU µs an event ${where}: gateway, PostgreSQL, what runs beside`
const nameCpuWithoutBeside = (where: string) => `CPU µs an event ${where}: gateway and PostgreSQL`
const atPace = (perSecond: number) => `at ${perSecond}/s`

/**
 * Gateways for webhooks on the same machine and the same PostgreSQL, in turns: each takes events through its documented API
 * and delivers them to the same receiver, while the others are stopped.
 */
export function createGateways(paths: GatewayPaths): Benchmark {
  return {
    name: 'gateways',
    summary: 'the same events through the hub and other gateways, each alone',
    async run(stand) {
      const columns = await measureGateways(stand, paths, stand.isQuick ? QUICK : USUAL)
      return [...buildTable(columns), ...buildGoals(columns)]
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
  const stage = { receiver, load, amounts, readDatabaseCpu: await createDatabaseCpuMeter(stand.sql) }
  const setup = { ...stand, receiverPort: receiver.port }
  const gateways = [await createHubGateway(setup)]
  if (paths.outpost !== undefined) gateways.push(await createOutpostGateway(paths.outpost, setup))
  if (paths.svix !== undefined) gateways.push(await createSvixGateway(paths.svix, setup))
  const measured = await Promise.all(
    gateways.map(async (gateway) => ({
      gateway,
      beside: await findBeside(gateway.besidePorts),
      column: open(gateway),
    })),
  )
  for (const { gateway } of measured) await gateway.prepare()
  for (let round = 1; round <= amounts.rounds; round++) {
    for (const { gateway, beside, column } of measured) {
      stand.progress(`round ${round} of ${amounts.rounds}: ${gateway.name}`)
      await using running = await gateway.start()
      if (round === 1) await gateway.addReceivers(running.url)
      record(column, await measureRound(stage, { gateway, running, beside }))
    }
  }
  for (const { gateway, beside, column } of measured) {
    stand.progress(`kill -9 and a silent receiver: ${gateway.name}`)
    record(column, await measureFaults(stage, { gateway, beside }))
  }
  return measured.map(({ column }) => column)
}

const open = ({ name }: Gateway): Column => ({ name, figures: new Map() })

function record({ figures }: Column, measured: Record<string, Figure>): void {
  for (const [title, figure] of Object.entries(measured)) figures.set(title, [...(figures.get(title) ?? []), figure])
}

async function measureRound(stage: Stage, target: Target): Promise<Record<string, Figure>> {
  const { warmUp, bulk } = stage.amounts
  const { running, beside } = target
  await passInBulk(stage, target, warmUp)
  const busy = await passInBulk(stage, target, bulk)
  const figures: Record<string, Figure> = {
    'events/s in bulk, from the first request to the last delivery': show(busy.perSecond),
    ...showCpu('in bulk', busy.cpu),
  }
  for (const perSecond of PACES) {
    const { cpu, acknowledgedMs, receivedMs } = await passSteadily(stage, target, perSecond)
    const at = atPace(perSecond)
    Object.assign(figures, {
      ...showCpu(at, cpu),
      ...showLatency(`ms of the acknowledgement ${at}`, acknowledgedMs),
      ...showLatency(`ms from the acknowledgement to the receiver ${at}`, receivedMs),
    })
  }
  const memory = { own: await running.readMemory(), beside: await beside.readMemory() }
  figures['MB of memory: gateway, what runs beside'] = {
    value: memory.own + memory.beside,
    text: `${memory.own.toFixed(0)} + ${memory.beside.toFixed(0)}`,
  }
  return figures
}

/** These leave work behind, which would be in the way of another round. */
async function measureFaults(stage: Stage, of: Omit<Target, 'running'>): Promise<Record<string, Figure>> {
  const crash = await measureCrash(stage, of.gateway)
  await using running = crash.running
  const [perSecond = 0] = PACES
  const { receivedMs } = await passSteadily(stage, { ...of, running }, perSecond, { hasNeighbor: true })
  return {
    's from kill -9, with a restart at once, to the delivery of a new event': show(crash.silentSeconds),
    'lost and repeated after kill -9, of those acknowledged': {
      text: `${crash.lost}, ${crash.repeated} of ${crash.acknowledged}`,
    },
    ...showLatency(
      `ms from the acknowledgement to the receiver ${atPace(perSecond)}, beside as many events to a silent receiver`,
      receivedMs,
    ),
  }
}

async function readCpu({ readDatabaseCpu }: Stage, { running, beside }: Target): Promise<Cpu> {
  return { own: await running.readCpu(), database: await readDatabaseCpu(), beside: await beside.readCpu() }
}

const subtract = (after: Cpu, before: Cpu, count: number): Cpu => ({
  own: (after.own - before.own) / count,
  database: (after.database - before.database) / count,
  beside: (after.beside - before.beside) / count,
})

async function passInBulk(stage: Stage, target: Target, count: number) {
  const { receiver, load, amounts } = stage
  const { gateway, running } = target
  const marks = Array.from({ length: count }, () => newId())
  const posts = marks.map((mark) => gateway.buildPost('answering', mark))
  await receiver.received()
  let [startedAt, before] = [0, { own: 0, database: 0, beside: 0 }]
  await load.post({ url: running.url, posts, concurrency: CALLERS, status: gateway.accepted }, async () => {
    before = await readCpu(stage, target)
    startedAt = now()
  })
  const arrivedAt = await awaitMarks(receiver, marks)
  failUnlessAll(arrivedAt, marks)
  await delay(1000 * amounts.settleSeconds)
  return {
    perSecond: (1000 * count) / (Math.max(...arrivedAt.values()) - startedAt),
    cpu: subtract(await readCpu(stage, target), before, count),
  }
}

/** Posts events at an even rate. With a neighbor, each is followed by one to the silent receiver. */
async function passSteadily(stage: Stage, target: Target, perSecond: number, { hasNeighbor = false } = {}) {
  const { receiver, load, amounts } = stage
  const { gateway, running } = target
  const marks = Array.from({ length: (amounts.leadSeconds + amounts.seconds) * perSecond }, () => newId())
  const posts = marks.flatMap((mark) => {
    const own = gateway.buildPost('answering', mark)
    return hasNeighbor ? [own, gateway.buildPost('silent', newId())] : [own]
  })
  const plan = { url: running.url, posts, concurrency: CALLERS, status: gateway.accepted }
  await receiver.received()
  const begun = Promise.withResolvers<void>()

  async function watch() {
    await begun.promise
    await delay(1000 * amounts.leadSeconds)
    const before = await readCpu(stage, target)
    const from = now()
    await delay(1000 * amounts.seconds)
    const after = await readCpu(stage, target)
    return { from, until: now(), before, after }
  }
  const [{ answers }, watched] = await Promise.all([
    load.post({ ...plan, perSecond: hasNeighbor ? 2 * perSecond : perSecond }, async () => begun.resolve()),
    watch(),
  ])
  const arrivedAt = await awaitMarks(receiver, marks)
  if (!hasNeighbor) failUnlessAll(arrivedAt, marks)
  const own = hasNeighbor ? answers.filter((_, i) => i % 2 === 0) : answers
  const measured = marks
    .map((mark, i) => ({
      tookMs: own[i]?.tookMs ?? 0,
      at: own[i]?.at ?? 0,
      arrivedAt: arrivedAt.get(mark) ?? Infinity,
    }))
    .filter(({ at }) => at >= watched.from && at < watched.until)
  return {
    cpu: subtract(watched.after, watched.before, measured.length),
    acknowledgedMs: measured.map(({ tookMs }) => tookMs),
    receivedMs: measured.map(({ at, arrivedAt }) => Math.max(0, arrivedAt - at)),
  }
}

/** When each event arrived. Those that do not within the limit are missing. */
async function awaitMarks(receiver: Receiver, marks: string[]): Promise<Map<string, number>> {
  const arrivedAt = new Map<string, number>()
  const deadline = now() + ARRIVAL_LIMIT_MS
  const awaited = new Set(marks)
  while (awaited.size > 0 && now() < deadline) {
    for (const [mark, at] of (await receiver.received()).hits) if (awaited.delete(mark)) arrivedAt.set(mark, at)
    await delay(20)
  }
  return arrivedAt
}

function failUnlessAll(arrivedAt: Map<string, number>, marks: string[]): void {
  if (arrivedAt.size < marks.length) throw new Error(`${marks.length - arrivedAt.size} events did not arrive`)
}

/** Kills the gateway while it takes events, starts it again, and counts the acknowledged ones that arrive never or twice. */
async function measureCrash({ receiver, amounts }: Stage, gateway: Gateway) {
  const killed = await gateway.start()
  await receiver.received()
  const acknowledged = new Set<string>()
  const hits = new Map<string, number>()
  async function readHits(): Promise<boolean> {
    const { hits: news } = await receiver.received()
    for (const [mark] of news) hits.set(mark, (hits.get(mark) ?? 0) + 1)
    return news.length > 0
  }
  async function post({ url }: HubProcess): Promise<string | undefined> {
    const mark = newId()
    const { path, headers, body } = gateway.buildPost('answering', mark)
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body }).catch(() => undefined)
    await answer?.body?.cancel().catch(() => {})
    if (answer?.status === gateway.accepted) acknowledged.add(mark)
    return answer && mark
  }
  let next = 0
  async function postUntilKilled(): Promise<void> {
    while (next++ < amounts.killed && (await post(killed)) !== undefined);
  }
  const posting = Promise.all(Array.from({ length: CALLERS }, postUntilKilled))
  while (acknowledged.size < amounts.killed / 2) await delay(1)
  await killed.kill()
  const killedAt = now()
  await posting
  const running = await gateway.start()
  const probe = (await post(running)) ?? ''
  const deadline = now() + ARRIVAL_LIMIT_MS
  const lost = () => [...acknowledged].filter((mark) => !hits.has(mark)).length
  let [lastAt, silentMs] = [now(), Number.POSITIVE_INFINITY]
  while (now() < deadline && (lost() > 0 || now() - lastAt < REPEATS_MS)) {
    if (await readHits()) lastAt = now()
    if (hits.has(probe)) silentMs = Math.min(silentMs, now() - killedAt)
    await delay(20)
  }
  const repeated = [...acknowledged].filter((mark) => (hits.get(mark) ?? 0) > 1).length
  return { running, acknowledged: acknowledged.size, lost: lost(), repeated, silentSeconds: silentMs / 1000 }
}

/** An event at rest must not cost much more than with the gateway that needs the least of the others. */
function buildGoals(columns: Column[]): Result[] {
  const [hub] = columns
  const outpost = columns.find(({ name }) => name === 'outpost')
  const [perSecond = 0] = PACES
  const title = nameCpu(atPace(perSecond))
  const values = hub && outpost && pickValues(hub, outpost, title)
  return values ? [{ what: `${title}, of outpost`, ...values, goal: { atMost: 1.2 } }] : []
}

const show = (value: number): Figure => ({ value, text: formatNumber(value) })

function showCpu(where: string, cpu: Cpu): Record<string, Figure> {
  const text = [cpu.own, cpu.database, cpu.beside].map((value) => value.toFixed(0)).join(' + ')
  return {
    [nameCpu(where)]: { value: sum(cpu), text: `${sum(cpu).toFixed(0)}: ${text}` },
    [nameCpuWithoutBeside(where)]: show(cpu.own + cpu.database),
  }
}

function showLatency(title: string, values: number[]): Record<string, Figure> {
  return { [`${title}, p50`]: show(quantile(values, 0.5)), [`${title}, p99`]: show(quantile(values, 0.99)) }
}

function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return `not within ${ARRIVAL_LIMIT_MS / 1000} s`
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}
