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
  /** The ports of this machine on which what it needs beside PostgreSQL listens. */
  besidePorts: number[]
  /** Called once, before it starts for the first time. */
  prepare: () => Promise<unknown>
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
    besidePorts: [],
    prepare: async () => {},
    start: () => startHubProcess(setup),
    addReceivers: async () => {},
    buildPost: (customer, mark) => {
      const [marked] = buildMarked((customer === 'silent' ? silent : answering) ?? [], 1, mark)
      if (!marked) throw new Error('There is no channel')
      return marked.post
    },
  }
}

/**
 * Redis and the queue of messages are those of the variables that the benchmark is started with. By default Outpost delivers
 * one event at a time; its own load tests set 100 at a time, and so does this.
 */
export async function createOutpostGateway(path: string, setup: Setup): Promise<Gateway> {
  const receivers = buildReceivers(setup.receiverPort)
  const key = randomBytes(16).toString('hex')
  const env = {
    PUBLISH_MAX_CONCURRENCY: '100',
    DELIVERY_MAX_CONCURRENCY: '100',
    LOG_MAX_CONCURRENCY: '100',
    REDIS_HOST: '127.0.0.1',
    REDIS_PORT: '6379',
    RABBITMQ_SERVER_URL: 'amqp://guest:guest@127.0.0.1:5672',
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
    besidePorts: [Number(env.REDIS_PORT), Number(new URL(env.RABBITMQ_SERVER_URL).port)],
    prepare: () => run(path, ['migrate', 'apply', '--yes'], { env }),
    start: () =>
      startServer((port) => ({
        command: path,
        args: ['serve'],
        env: { ...env, PORT: String(port), API_PORT: String(port) },
        readyPath: '/api/v1/healthz',
        logsToStderr: true,
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

/** Its queue is in memory, unless the variables that the benchmark is started with name a Redis. The cache is, as by default. */
export async function createSvixGateway(path: string, setup: Setup): Promise<Gateway> {
  const receivers = buildReceivers(setup.receiverPort)
  const redis = process.env.SVIX_REDIS_DSN
  const env = {
    SVIX_QUEUE_TYPE: redis === undefined ? 'memory' : 'redis',
    // The pool of 100 that is the default would take all connections of the database.
    SVIX_DB_POOL_MAX_SIZE: '50',
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
    besidePorts: redis === undefined ? [] : [Number(new URL(redis).port)],
    prepare: async () => {},
    start: () =>
      startServer((port) => ({
        command: path,
        args: ['--run-migrations'],
        env: { ...env, SVIX_LISTEN_ADDRESS: `127.0.0.1:${port}` },
        readyPath: '/api/v1/health/',
        logsToStderr: true,
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
  // The host is a socket's directory, which not every driver reads from before the path.
  const url = new URL(toDatabaseUrl(databaseUrl, name))
  const { hostname, port, username, password, pathname } = url
  const query = new URLSearchParams({ host: decodeURIComponent(hostname), port: port || '5432', sslmode: 'disable' })
  return `postgres://${username}:${password}@${pathname}?${query}`
}

async function request(url: string, options: RequestInit): Promise<void> {
  const answer = await fetch(url, options)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} responded ${answer.status}: ${text}`)
}
