import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { Simulator } from '@hubline/simulator'
import { hash } from '@node-rs/argon2'
import { type Config, readConfig } from '../src/app/config/config.ts'
import { toSandboxSettings } from '../src/app/config/upstream-settings.ts'
import type { Extension, HttpOptions } from '../src/app/http/http.ts'
import { type Hub, startHub as start } from '../src/app/hub.ts'
import type { Installation } from '../src/app/installation.ts'
import { OPERATOR } from '../src/domains/audit/initiator.ts'
import { type Role, SCOPES, type Scope } from '../src/domains/auth/scopes.ts'
import { createSessionCookie } from '../src/domains/auth/sessions/cookie.ts'
import type { Clock } from '../src/kernel/clock.ts'
import type { KeyRing } from '../src/kernel/crypto/key-ring.ts'
import { newId } from '../src/kernel/ids.ts'
import { createLogger } from '../src/kernel/logger.ts'
import type { Lookup } from '../src/kernel/net/lookup.ts'
import { type Client, createClient } from './client.ts'
import { testClock } from './clock.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { createHubPool } from './hub-pool.ts'
import { createResponseCheck } from './response-check.ts'
import { openUpstream } from './upstream.ts'

const RING: KeyRing = [{ id: 'test', bytes: randomBytes(32) }]
export const ORIGIN = 'http://localhost:8080'
export const PASSWORD = 'correct horse battery staple'
/** A hash names its own cost: the passwords of test people are compared in a hundredth of the usual time. */
const CHEAP_HASH = { memoryCost: 64, timeCost: 1, parallelism: 1 }
let passwordHashed: Promise<string> | undefined
const ip = '127.0.0.1'
/** On a machine that is busy with other tests, the upstream must not time out. */
const UPSTREAM_TIMEOUT_MS = '40000'

type Options = {
  env?: Record<string, string>
  extension?: Extension
  timeouts?: HttpOptions['timeouts']
  capacity?: HttpOptions['capacity']
  installation?: Partial<Installation>
  /** By default that of the test file. */
  database?: TestDatabase
  /** The upstream and the payment provider of the hub. A hub without one must not call them. */
  simulator?: Simulator
  /** Opens such an upstream with the hub. */
  hasUpstream?: boolean
  lookup?: Lookup
  /** The clock of the process, which then has the time of its database from the database alone. */
  processClock?: Clock
  /** Starts the delivery engine. By default only `deliver` sends what is due. */
  isDelivering?: boolean
  /** A hub that no other test has used, for tests of what a process counts, keeps, logs once or does at its start. */
  isOwn?: boolean
  /** False where statements are counted, among which those of a job would be. */
  hasTimers?: false
}

const NO_APP = { appId: '0', appSecret: 'none', verifyToken: 'none' }

export type TestHub = Awaited<ReturnType<typeof startHub>>

const pool = createHubPool<Awaited<ReturnType<typeof launch>>>()

/**
 * A whole hub with real HTTP, real PostgreSQL and a clock that the test can advance, in this process. It may be one that
 * an earlier test of the file has left, so a test creates its own organizations and looks only at them. The log has what
 * the hub wrote at its start and since the test began, an upstream is as new, and no job runs by itself. With other
 * options than `env`, `hasUpstream` and `lookup`, the hub is the test's own and its timers run, unless it is to have none;
 * once stopped, it is gone.
 */
export async function startHub(t: TestContext, options: Options = {}) {
  const database = options.database ?? (await testDatabase())
  const kind = toSharedKind(options)
  const running = (kind && pool.take(database, kind)) ?? (await launch(database, options, kind))
  const { hub, upstream, anonymous, config } = running
  const clock = await testClock(database.sql)
  const logs = [...running.startLogs]
  running.current = { clock, logs }
  const stop = leaveAfter(t, database, running)
  /** Runs every job once. */
  async function runJobs(): Promise<void> {
    for (const job of hub.jobs) await job.run()
  }
  const deliver = () => hub.context.engine.deliverDue()
  return {
    ...hub,
    upstream,
    stop,
    runJobs,
    deliver,
    sql: database.sql,
    clock,
    logs,
    anonymous,
    ...seeds(hub.context, anonymous, config.publicUrl.startsWith('https:')),
  }
}

/** Returns the kind of hub that a test may share with others; undefined if it shares with none. */
function toSharedKind({ env = {}, hasUpstream = false, lookup, isOwn, ...others }: Options) {
  return isOwn || Object.keys(others).length > 0 ? undefined : { env, hasUpstream, lookup }
}

async function launch({ sql }: TestDatabase, options: Options, kind: ReturnType<typeof toSharedKind>) {
  const upstream = options.hasUpstream ? await openUpstream() : undefined
  const simulator = options.simulator ?? upstream?.simulator
  const current = { clock: await testClock(sql), logs: [] as string[] }
  const logger = createLogger('trace', { write: (line: string) => void running.current.logs.push(line) })
  const config = readConfig({ PORT: '0', PUBLIC_URL: ORIGIN, UPSTREAM_TIMEOUT_MS, DRAIN_SECONDS: '0', ...options.env })
  const installation: Installation = {
    sql,
    keyRing: () => RING,
    keyFile: undefined,
    location: 'a test',
    applied: [],
    upstream: simulator ? toSimulatorSettings(config, simulator) : toSandboxSettings(config, NO_APP),
    payments: simulator && { ...simulator.payments },
    simulator: simulator?.control,
    async [Symbol.asyncDispose]() {},
    ...options.installation,
  }
  const { extension, timeouts, capacity, lookup } = options
  const running = { current, config, kind, upstream }
  const hub = await start(config, installation, {
    logger,
    ...(options.processClock ? { processClock: options.processClock } : { now: () => running.current.clock.now() }),
    isDelivering: options.isDelivering ?? false,
    hasTimers: options.hasTimers ?? kind === undefined,
    ...(extension && { extension }),
    ...(timeouts && { timeouts }),
    ...(capacity && { capacity }),
    ...(lookup && { lookup }),
  })
  const anonymous = createClient(hub.url, {}, createResponseCheck(hub.app))
  const requests = countOpenRequests(hub)
  return Object.assign(running, {
    hub,
    startLogs: running.current.logs,
    anonymous,
    isIdle: () => requests.open === 0,
    async stop() {
      await upstream?.simulator.close()
      await hub.stop()
    },
  })
}

function countOpenRequests({ app }: Hub): { open: number } {
  const requests = { open: 0 }
  app.server.on('request', (_request, response) => {
    requests.open++
    response.once('close', () => requests.open--)
  })
  return requests
}

/** The test runner keeps the hooks of every test until its process ends: this one forgets the hub that it has left. */
function leaveAfter(t: TestContext, database: TestDatabase, hub: Awaited<ReturnType<typeof launch>>) {
  let running: typeof hub | undefined = hub
  function take(): typeof hub | undefined {
    const taken = running
    running = undefined
    return taken
  }
  t.after(async () => {
    const left = take()
    if (!left?.kind) return left?.stop()
    left.upstream?.renew()
    await pool.leave(database, left)
  })
  return async () => take()?.stop()
}

function toSimulatorSettings(config: Config, { appId, appSecret, verifyToken, url }: Simulator) {
  return toSandboxSettings(config, { appId, appSecret, verifyToken }, url)
}

/** Functions that create data and return what a test needs of it. */
function seeds(
  { sql, organizations, apiKeys, auth, members, users, sessions }: Awaited<ReturnType<typeof start>>['context'],
  anonymous: Client,
  isHttps: boolean,
) {
  async function organization(scopes: readonly Scope[] = SCOPES) {
    return sql.begin(async (tx) => {
      const { id } = await organizations.create(tx, { name: 'Acme', initiator: OPERATOR })
      const name = 'test key'
      const key = await apiKeys.issue(tx, {
        organizationId: id,
        initiator: OPERATOR,
        name,
        scopes: [...scopes],
        expiresAt: null,
      })
      return { organizationId: id, keyId: key.id, key: key.token, ...anonymous.with(bearer(key.token)) }
    })
  }

  async function channelToken(organizationId: string, channelId: string, scopes: readonly Scope[]) {
    const issued = await sql.begin((tx) =>
      auth.issue(tx, { organizationId, kind: 'channel_token', name: 'channel', scopes, channelId, expiresAt: null }),
    )
    return { ...issued, ...anonymous.with(bearer(issued.token)) }
  }

  /**
   * A signed-in person: of a new organization, or added to one in a role. The
   * session is opened without a sign-in, whose limits belong to the test.
   */
  async function person(membership?: { organizationId: string; role: Role }, { isEmailVerified = true } = {}) {
    const email = `${randomBytes(8).toString('hex')}@example.com`
    passwordHashed ??= hash(PASSWORD, CHEAP_HASH)
    const passwordHash = await passwordHashed
    const { userId, organizationId, token } = await sql.begin(async (tx) => {
      const user = await users.register(tx, { email, name: 'Ana', passwordHash, isEmailVerified })
      if (!user) throw new Error('The e-mail is taken')
      const own = membership ?? { ...(await named(tx)), role: 'owner' as const }
      await members.add(tx, { ...own, userId: user.id, initiator: OPERATOR })
      const key = { userId: user.id, organizationId: own.organizationId }
      const client = { ip, requestId: newId(), userAgent: null }
      return { ...key, ...(await sessions.start(tx, { ...key, client, hasSecondFactor: false })) }
    })
    const cookie = `${createSessionCookie(isHttps).name}=${token}`
    return { userId, organizationId, email, cookie, ...anonymous.with({ cookie, origin: ORIGIN }) }
  }

  async function named(tx: Parameters<typeof organizations.create>[0]) {
    const { id } = await organizations.create(tx, { name: "Ana's", initiator: OPERATOR })
    return { organizationId: id }
  }

  return { organization, channelToken, person }
}

export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` }
}

/** The Cookie header for the cookies that a response set. */
export function readCookies(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}
