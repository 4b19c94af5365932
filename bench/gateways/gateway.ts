import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { BenchmarkSetup } from '../benchmark.ts'
import { toDatabaseUrl } from '../counting-database.ts'
import type { Post } from '../load-process.ts'
import { buildMarked, inventNumbers, seedChannels } from '../pipeline/channels.ts'
import { type HubProcess, startHubProcess, startServer } from '../pipeline/hub-process.ts'

const run = promisify(execFile)

/** Two customers, each with an endpoint: one whose receiver answers, and one whose receiver is silent. */
export type Receivers = { answering: string; silent: string }
export type Customer = keyof Receivers

/** A gateway is measured through its documented API, with its documented settings. */
export type Gateway = {
  name: string
  /** The status of an answer that accepts an event. */
  accepted: number
  start: () => Promise<HubProcess>
  /** Called once, when it runs. */
  addReceivers: (url: string) => Promise<void>
  buildPost: (customer: Customer, mark: string) => Post
}

type Setup = Pick<BenchmarkSetup, 'sql' | 'databaseUrl' | 'keyRing'> & { receiverPort: number }

const TOPIC = 'message.received'
/** With it, an event has about 1 KiB. */
const FILLING = 'x'.repeat(900)
const buildData = (mark: string) => ({ text: FILLING, mark: `mark:${mark}` })

const buildReceivers = (port: number): Receivers => ({
  answering: `http://127.0.0.1:${port}/timed-empty/0`,
  silent: `http://127.0.0.1:${port}/silent/1`,
})

/** An event is what a callback becomes: the hub has no way to publish without one. */
export async function createHubGateway(setup: Setup): Promise<Gateway> {
  const { channels } = await seedChannels(setup, inventNumbers(2), setup.receiverPort, ['timed-empty', 'silent'])
  const [answering, silent] = channels.map((channel) => [channel])
  return {
    name: 'hubline',
    accepted: 200,
    start: () => startHubProcess(setup),
    addReceivers: async () => {},
    buildPost: (customer, mark) => {
      const [marked] = buildMarked((customer === 'silent' ? silent : answering) ?? [], 1, mark)
      if (!marked) throw new Error('There is no channel')
      return marked.post
    },
  }
}

/** Redis and the queue of messages are those of the variables that the benchmark is started with. */
export async function createOutpostGateway(path: string, setup: Setup): Promise<Gateway> {
  const receivers = buildReceivers(setup.receiverPort)
  const key = randomBytes(16).toString('hex')
  const env = {
    ...process.env,
    API_KEY: key,
    API_JWT_SECRET: randomBytes(16).toString('hex'),
    AES_ENCRYPTION_SECRET: randomBytes(16).toString('hex'),
    POSTGRES_URL: await createDatabase(setup, 'gateway_outpost'),
    TOPICS: TOPIC,
    DISABLE_TELEMETRY: 'true',
  }
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return {
    name: 'outpost',
    accepted: 202,
    start: () =>
      startServer((port) => ({
        command: path,
        args: ['serve'],
        env: { ...env, PORT: String(port), API_PORT: String(port) },
        readyPath: '/api/v1/healthz',
      })),
    async addReceivers(url) {
      for (const [tenant, destination] of Object.entries(receivers)) {
        await request(`${url}/api/v1/tenants/${tenant}`, { method: 'PUT', headers })
        const body = JSON.stringify({ type: 'webhook', topics: ['*'], config: { url: destination } })
        await request(`${url}/api/v1/tenants/${tenant}/destinations`, { method: 'POST', headers, body })
      }
    },
    buildPost: (customer, mark) => ({
      path: '/api/v1/publish',
      headers,
      body: JSON.stringify({ tenant_id: customer, topic: TOPIC, eligible_for_retry: true, data: buildData(mark) }),
    }),
  }
}

/** Its queue and its cache are in memory, unless the variables that the benchmark is started with name a Redis. */
export async function createSvixGateway(path: string, setup: Setup): Promise<Gateway> {
  const receivers = buildReceivers(setup.receiverPort)
  const queue = process.env.SVIX_REDIS_DSN === undefined ? 'memory' : 'redis'
  const env = {
    SVIX_QUEUE_TYPE: queue,
    SVIX_CACHE_TYPE: queue,
    ...process.env,
    SVIX_DB_DSN: await createDatabase(setup, 'gateway_svix'),
    SVIX_JWT_SECRET: randomBytes(32).toString('hex'),
    SVIX_WHITELIST_SUBNETS: '["127.0.0.0/8"]',
  }
  // The last word of what it prints.
  const { stdout } = await run(path, ['jwt', 'generate'], { env })
  const token = stdout.trim().split(/\s+/).at(-1) ?? ''
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    name: 'svix',
    accepted: 202,
    start: () =>
      startServer((port) => ({
        command: path,
        args: ['--run-migrations'],
        env: { ...env, SVIX_LISTEN_ADDRESS: `127.0.0.1:${port}` },
        readyPath: '/api/v1/health/',
      })),
    async addReceivers(url) {
      const post = (of: string, body: object) =>
        request(`${url}/api/v1/app/${of}`, { method: 'POST', headers, body: JSON.stringify(body) })
      for (const [uid, endpoint] of Object.entries(receivers)) {
        await post('', { name: uid, uid })
        await post(`${uid}/endpoint/`, { url: endpoint })
      }
    },
    buildPost: (customer, mark) => ({
      path: `/api/v1/app/${customer}/msg/`,
      headers,
      body: JSON.stringify({ eventType: TOPIC, payload: buildData(mark) }),
    }),
  }
}

async function createDatabase({ sql, databaseUrl }: Setup, name: string): Promise<string> {
  await sql.unsafe(`create database ${name}`)
  return toDatabaseUrl(databaseUrl, name)
}

async function request(url: string, options: RequestInit): Promise<void> {
  const answer = await fetch(url, options)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} responded ${answer.status}: ${text}`)
}
