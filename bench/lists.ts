import { setTimeout as delay } from 'node:timers/promises'
import { type Dispatcher, Pool } from 'undici'
import { OPERATOR } from '../server/src/domains/audit/initiator.ts'
import { SCOPES } from '../server/src/domains/auth/scopes.ts'
import { type BenchChannel, openHub } from './bench-hub.ts'
import type { Benchmark, BenchmarkSetup, Result } from './benchmark.ts'
import { type Receiver, startReceiver } from './deliver/receiver.ts'
import { insertEndpointsOfOne } from './deliver/seed.ts'
import { pickMedianRound, quantile } from './deliver/statistics.ts'
import { type LoadProcess, startLoadProcess } from './load-process.ts'
import { gatherStatistics } from './measurement.ts'
import { seedChannels } from './pipeline/channels.ts'
import { passEvents } from './pipeline/events.ts'
import { type HubProcess, startHubProcess } from './pipeline/hub-process.ts'
import { buildSends } from './send.ts'
import { startUpstream } from './simulated-upstream.ts'

const ROUNDS = 3
const SECONDS = 10
const QUICK_SECONDS = 4
const PER_SECOND = 50
/** The number of neighbors, each with its own organization and endpoint. */
const NEIGHBORS = 20

const LARGE = { endpoints: 1000, channelsPerEndpoint: 20, channels: 5000 }
const CLIENTS = 30
/** Every third client pauses this long after each part that it reads. */
const SLOW_PAUSE_MS = 100
/** A client that ignores `Retry-After`. */
const REFUSED_PAUSE_MS = 20

type Setup = { stand: BenchmarkSetup; hub: HubProcess; receiver: Receiver; load: LoadProcess; channels: BenchChannel[] }

/** Milliseconds of each send, and of each event from its callback until the receiver has it. */
type Latencies = { sends: number[]; events: number[] }

/**
 * Sends and webhooks of small organizations: without neighbors, then beside an organization with 1,000 endpoints of 20
 * `channel_ids` each and 5,000 channels, of which 30 clients list all, again and again, a third of them slowly. The hub is
 * a process of its own.
 */
export const lists: Benchmark = {
  name: 'lists',
  summary: 'sends and webhooks beside an organization that lists very many endpoints and channels all the time',
  async run(stand) {
    await using receiver = await startReceiver()
    await using upstream = await startUpstream(NEIGHBORS)
    await using load = await startLoadProcess()
    const { channels } = await seedChannels(stand, upstream.numbers, receiver.port)
    const keys = await seedLarge(stand)
    await gatherStatistics(stand.sql)
    await using hub = await startHubProcess({ ...stand, receiverPort: receiver.port, upstreamUrl: upstream.url })
    const setup = { stand, hub, receiver, load, channels }
    const count = stand.isQuick ? 1 : ROUNDS
    const rounds: { alone: Latencies; beside: Latencies; answers: Answers }[] = []
    await measureLatencies(setup)
    for (let round = 1; round <= count; round++) {
      stand.progress(`beside lists, round ${round} of ${count}`)
      const alone = await measureLatencies(setup)
      const clients = startClients(hub.url, keys)
      const beside = await measureLatencies(setup).finally(clients.stop)
      rounds.push({ alone, beside, answers: clients.answers })
    }
    return [...describe('sends', rounds), ...describe('events', rounds), describeLists(rounds)]
  },
}

async function measureLatencies({ stand, hub, receiver, load, channels }: Setup): Promise<Latencies> {
  const count = PER_SECOND * (stand.isQuick ? QUICK_SECONDS : SECONDS)
  const plan = { url: hub.url, concurrency: PER_SECOND, perSecond: PER_SECOND, status: 202 }
  const sent = await load.post({ ...plan, posts: buildSends(channels, count) }, async () => undefined)
  const passing = { url: hub.url, channels, count, perSecond: PER_SECOND }
  const { acknowledgedMs, receivedMs } = await passEvents({ load, receiver }, passing, async () => undefined)
  return {
    sends: sent.answers.map(({ tookMs }) => tookMs),
    events: acknowledgedMs.map((ms, i) => ms + (receivedMs[i] ?? Number.NaN)),
  }
}

/** Returns a key for each client, so that no limit of a key slows them down. */
async function seedLarge(stand: BenchmarkSetup): Promise<string[]> {
  const { context, stop } = await openHub(stand, undefined, { role: 'api', isDelivering: false })
  const { sql, apiKeys } = context
  const [endpoint] = await insertEndpointsOfOne(context, LARGE.endpoints, () => 'https://hooks.example.com/in')
  const organizationId = endpoint?.organizationId ?? ''
  await sql`
    insert into channels (organization_id, id, name)
    select ${organizationId}, hub_id(), 'Channel ' || n
    from generate_series(1, ${LARGE.channels}) n`
  await sql`update webhook_endpoints set all_channels = false where organization_id = ${organizationId}`
  await sql`
    insert into webhook_endpoint_channels (organization_id, endpoint_id, channel_id)
    select ${organizationId}, e.id, c.id
    from webhook_endpoints e
    cross join (select id from channels where organization_id = ${organizationId} limit ${LARGE.channelsPerEndpoint}) c
    where e.organization_id = ${organizationId}`
  const key = { organizationId, initiator: OPERATOR, name: 'bench', scopes: [...SCOPES], expiresAt: null }
  const keys = await sql.begin(async (tx) => {
    const issued: string[] = []
    for (let client = 0; client < CLIENTS; client++) issued.push((await apiKeys.issue(tx, key)).token)
    return issued
  })
  await stop()
  return keys
}

type Answers = { listed: number; refused: number }

/** Clients that list all endpoints and all channels in turn until they are stopped. */
function startClients(url: string, keys: string[]) {
  const stopping = new AbortController()
  const pool = new Pool(url, { connections: CLIENTS })
  const answers: Answers = { listed: 0, refused: 0 }

  async function readAll(body: Dispatcher.ResponseData['body'], isSlow: boolean): Promise<void> {
    for await (const _part of body) if (isSlow) await delay(SLOW_PAUSE_MS, undefined, stopping)
  }

  async function runClient(key: string, client: number): Promise<void> {
    for (let n = client; !stopping.signal.aborted; n++) {
      const path = n % 2 === 0 ? '/api/v1/webhooks' : '/api/v1/channels'
      const headers = { authorization: `Bearer ${key}` }
      const { statusCode, body } = await pool.request({ path, method: 'GET', headers, signal: stopping.signal })
      await readAll(body, statusCode === 200 && client % 3 === 0)
      if (statusCode === 200) answers.listed++
      else if (statusCode === 429) answers.refused++
      else throw new Error(`A list got ${statusCode}`)
      if (statusCode === 429) await delay(REFUSED_PAUSE_MS, undefined, stopping)
    }
  }

  const clients = Promise.allSettled(keys.map(runClient))
  return {
    answers,

    /** Throws if a client failed before. */
    async stop(): Promise<void> {
      stopping.abort()
      const ended = await clients
      await pool.destroy()
      for (const client of ended) {
        if (client.status === 'rejected' && client.reason.name !== 'AbortError') throw client.reason
      }
    },
  }
}

function describe(what: keyof Latencies, rounds: { alone: Latencies; beside: Latencies }[]): Result[] {
  const p99s = rounds.map(({ alone, beside }) => ({
    baseline: quantile(alone[what], 0.99),
    measured: quantile(beside[what], 0.99),
    p50: quantile(beside[what], 0.5),
  }))
  const { p50, ...p99 } = pickMedianRound(p99s, ({ measured, baseline }) => measured / baseline)
  const path = what === 'sends' ? 'a send' : 'an event from its callback to the receiver'
  const beside = `${path} at ${PER_SECOND}/s, beside ${CLIENTS} clients that list ${LARGE.endpoints} endpoints and ${LARGE.channels} channels`
  return [
    { what: `ms of ${beside}, of none: p99`, ...p99, goal: { atMost: 1.5 } },
    { what: `${beside}: p50`, value: p50, unit: 'ms' },
  ]
}

function describeLists(rounds: { answers: Answers }[]): Result {
  const sum = (what: keyof Answers) => rounds.reduce((total, { answers }) => total + answers[what], 0)
  return { remark: `Meanwhile ${sum('listed')} lists were read, and ${sum('refused')} were refused with 429.` }
}
