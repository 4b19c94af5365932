import { setTimeout as delay } from 'node:timers/promises'
import { OPERATOR } from '../../src/domains/audit/initiator.ts'
import { SCOPES } from '../../src/domains/auth/scopes.ts'
import { newId } from '../../src/kernel/ids.ts'
import { type BenchChannel, connectChannel, openHub, openOrganization } from '../bench-hub.ts'
import type { Benchmark, BenchmarkSetup, Result } from '../benchmark.ts'
import { buildCallback, buildChange } from '../callbacks.ts'
import { createDatabaseCpuMeter } from '../cpu.ts'
import { type Receiver, startReceiver } from '../deliver/receiver.ts'
import { quantile } from '../deliver/statistics.ts'
import { type LoadProcess, type Post, startLoadProcess } from '../load-process.ts'
import { gatherStatistics } from '../measurement.ts'
import { type HubProcess, startHubProcess } from './hub-process.ts'

const ENDPOINTS = [1, 50]
const BULK = 10_000
const CALLERS = 64
const WARM_UPS = 3
const PACES = [
  { perSecond: 100, seconds: 20 },
  { perSecond: 300, seconds: 10 },
]
/** With it, an event has about 1 KiB. */
const FILLING = 'x'.repeat(500)
const ARRIVAL_LIMIT_MS = 60_000

type Setup = { stand: BenchmarkSetup; hub: HubProcess; receiver: Receiver; load: LoadProcess }
type Marked = { mark: string; post: Post }

/**
 * The whole way of an event: a signed callback with one message, its event, its delivery, and the receiver, which answers
 * an empty 200. The hub is a process of its own, as `npm start` runs it.
 */
export const pipeline: Benchmark = {
  name: 'pipeline',
  goal: 'at 100 events/s: acknowledged within 3 ms (p99 10 ms), then received within 0.7 ms (p99 2 ms); below 400 MB',
  async run(stand) {
    await using receiver = await startReceiver()
    await using load = await startLoadProcess()
    const results: Result[] = []
    const channels = await seedChannels(stand, Math.max(...ENDPOINTS), receiver.port)
    await using hub = await startHubProcess(stand, receiver.port)
    results.push({ what: 'of the hub after its start', value: await hub.readMemory(), unit: 'MB' })
    const setup = { stand, hub, receiver, load }
    for (const endpoints of ENDPOINTS) results.push(...(await measureEndpoints(setup, channels.slice(0, endpoints))))
    results.push({ what: 'of the hub after all rounds', value: await hub.readMemory(), unit: 'MB' })
    return results
  },
}

async function measureEndpoints(setup: Setup, channels: BenchChannel[]): Promise<Result[]> {
  const to = channels.length === 1 ? 'to 1 endpoint' : `to ${channels.length} endpoints`
  const readDatabaseCpu = await createDatabaseCpuMeter(setup.stand.sql)

  async function run(count: number, perSecond?: number) {
    const marked = buildMarked(channels, count)
    const posts = marked.map(({ post }) => post)
    const before = { hub: 0, database: 0 }
    await setup.receiver.received()
    const plan = { url: setup.hub.url, posts, concurrency: CALLERS, status: 200, ...(perSecond && { perSecond }) }
    let startedAt = 0
    const posted = await setup.load.post(plan, async () => {
      before.hub = await setup.hub.readCpu()
      before.database = await readDatabaseCpu()
      startedAt = now()
    })
    const arrivedAt = await receiveAll(setup.receiver, marked)
    const last = Math.max(...arrivedAt.values())
    return {
      perSecond: count / ((last - startedAt) / 1000),
      acknowledgedMs: posted.answers.map(({ tookMs }) => tookMs),
      receivedMs: marked.map(({ mark }, i) =>
        Math.max(0, (arrivedAt.get(mark) ?? Number.NaN) - (posted.answers[i]?.at ?? 0)),
      ),
      cpu: {
        hub: ((await setup.hub.readCpu()) - before.hub) / count,
        database: ((await readDatabaseCpu()) - before.database) / count,
      },
    }
  }

  for (let round = 0; round < WARM_UPS; round++) await run(BULK / 5)
  await gatherStatistics(setup.stand.sql)
  const bulk = await run(BULK)
  const results: Result[] = [
    { what: `from callback to receiver, ${CALLERS} callers, ${to}`, value: bulk.perSecond, unit: 'events/s' },
    ...describeCpu(bulk.cpu, `in bulk, ${to}`),
  ]
  for (const { perSecond, seconds } of PACES) {
    const paced = await run(perSecond * seconds, perSecond)
    const at = `at ${perSecond} events/s, ${to}`
    results.push(
      ...describeCpu(paced.cpu, at),
      ...describeLatency(paced.acknowledgedMs, `acknowledgement ${at}`),
      ...describeLatency(paced.receivedMs, `acknowledgement to receiver ${at}`),
    )
  }
  return results
}

function describeCpu({ hub, database }: { hub: number; database: number }, where: string): Result[] {
  const split = `${hub.toFixed(0)} in the hub, ${database.toFixed(0)} in the database`
  return [{ what: `an event ${where}: ${split}`, value: hub + database, unit: 'CPU µs' }]
}

function describeLatency(values: number[], what: string): Result[] {
  return [
    { what: `${what}: p50`, value: quantile(values, 0.5), unit: 'ms' },
    { what: `${what}: p99`, value: quantile(values, 0.99), unit: 'ms' },
  ]
}

/** When each marked event arrived. Fails if one does not. */
export async function receiveAll(receiver: Receiver, marked: Marked[]): Promise<Map<string, number>> {
  const arrivedAt = new Map<string, number>()
  const deadline = now() + ARRIVAL_LIMIT_MS
  while (arrivedAt.size < marked.length) {
    for (const [mark, at] of (await receiver.received()).hits) if (!arrivedAt.has(mark)) arrivedAt.set(mark, at)
    if (now() > deadline) throw new Error(`${marked.length - arrivedAt.size} events did not arrive`)
    await delay(20)
  }
  return arrivedAt
}

/** One message in each callback, to the channels in rotation. */
export function buildMarked(channels: BenchChannel[], count: number): Marked[] {
  return Array.from({ length: count }, (_, i) => {
    const { number } = channels[i % channels.length] as BenchChannel
    const mark = newId()
    return { mark, post: buildCallback(number, [buildChange(number, i, `${FILLING} mark:${mark}`)]) }
  })
}

/** Channels of organizations of their own, each with one endpoint. */
export async function seedChannels(stand: BenchmarkSetup, count: number, port: number): Promise<BenchChannel[]> {
  const seeding = await openHub(stand, undefined, {
    role: 'api',
    isDelivering: false,
    env: { WEBHOOK_ALLOWED_DESTINATIONS: `127.0.0.1/32:${port}` },
  })
  const channels: BenchChannel[] = []
  for (let i = 0; i < count; i++) {
    const owner = await openOrganization(seeding.context)
    const number = {
      wabaId: String(210_000_000_000_000 + i),
      phoneNumberId: String(310_000_000_000_000 + i),
      accessToken: `EAApipeline${i}`,
      display: `+55 11 97000-${String(i).padStart(4, '0')}`,
    }
    const id = await connectChannel(seeding.context, owner.organizationId, number)
    await addEndpoint(seeding.context, owner.organizationId, `http://127.0.0.1:${port}/timed-empty/${i}`)
    channels.push({ ...owner, id, number })
  }
  await seeding.stop()
  return channels
}

type Context = Awaited<ReturnType<typeof openHub>>['context']

async function addEndpoint({ endpoints }: Context, organizationId: string, url: string): Promise<void> {
  const principal = { organizationId, scopes: SCOPES, initiator: OPERATOR, channelId: null, session: null }
  await endpoints.register(principal, {
    name: 'Bench',
    url,
    event_types: ['message.received'],
    payload_mode: 'normalized',
    delivery_format: 'native',
    all_channels: true,
    channel_ids: [],
  })
}

/** The same clock as in the other processes of the benchmark. */
function now(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
