import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openPool } from '../../server/src/kernel/db/pool.ts'
import { compilePrograms } from '../compiled-programs.ts'
import { findQuietPort } from '../ports.ts'
import { type Database, openDatabase } from './database.ts'
import { type Link, openLink } from './link.ts'
import { kill, type Program, start, stop, waitForAddress, waitUntilReady } from './programs.ts'
import type { UpstreamAddress, UpstreamNumber, UpstreamOrder } from './upstream-process.ts'

const APP = { appId: '100000000000000', appSecret: 'torture-app-secret', verifyToken: 'torture-verify-token' }
const UPSTREAM_TIMEOUT_MS = 4000
/** As many as the embedded database allows. */
const CONNECTIONS_MAX = 100
const START_AGAIN_MS = 1000
const SCOPES = [
  'channels:read',
  'channels:write',
  'messages:read',
  'messages:send',
  'webhooks:read',
  'webhooks:write',
  'api_keys:read',
  'api_keys:write',
  'billing:read',
  'billing:write',
]

/** A signed-in owner of an organization. */
export type Person = { organizationId: string; cookie: string }

export type Hub = {
  name: string
  role: 'api' | 'worker'
  /** The address that clients use, by way of a link. */
  url: string
  /** To the database, to the upstream, and from its clients. */
  links: { database: Link; upstream: Link; clients: Link }
  program: Program
  /** True while it is the version that it was first started with, where that is an earlier one. */
  isEarlier: boolean
  /** Starts it again after it was killed. */
  restart: () => Promise<void>
  waitUntilReady: () => Promise<void>
}

/**
 * `clocks`: by how many milliseconds the clock of each process is ahead. Without a database it opens one of its own. With `earlierRoot`, the
 * checkout of an earlier version, the hubs begin as that version.
 */
type Options = {
  seed: number
  directory: string
  root: string
  earlierRoot?: string | undefined
  clocks: Map<string, number>
  database?: Database
  /** The ports of API processes, where something in front of them has to know these before. */
  ports?: Record<string, number>
  drainSeconds?: number
}

export type Installation = Awaited<ReturnType<typeof openInstallation>>

/** Two API processes, two workers, PostgreSQL, an upstream and receivers: real processes, with a proxy on each link. */
export async function openInstallation(given: Options) {
  const opened = new AsyncDisposableStack()
  try {
    return await open(opened, given)
  } catch (err) {
    await opened.disposeAsync()
    throw err
  }
}

async function open(opened: AsyncDisposableStack, given: Options) {
  const { seed, directory, root, clocks } = given
  const programs = opened.use(await compilePrograms(root))
  const logOf = (name: string) => join(directory, `${name}.log`)
  const database = given.database ?? opened.use(await openDatabase(directory))

  function startOurs(file: string, options: object): Program {
    const args = [JSON.stringify(options)]
    const program = start(file, join(import.meta.dirname, `${file}-process.ts`), { root, args, log: logOf(file) })
    opened.defer(() => kill(program.child))
    return program
  }

  const upstream = startOurs('upstream', { seed, app: APP, ledger: join(directory, 'upstream.jsonl') })
  const receivers = startOurs('receiver', { seed, ledger: join(directory, 'receivers.jsonl') })
  const { url: upstreamUrl, payments } = await waitForAddress<UpstreamAddress>(upstream)
  const { port: receiverPort } = await waitForAddress<{ port: number }>(receivers)

  let databaseUrl = database.url
  const common = {
    SEALING_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    BILLING: 'off',
    STRIPE_SECRET_KEY: payments.secretKey,
    STRIPE_WEBHOOK_SECRET: payments.webhookSecret,
    SIGN_UP: 'open',
    DRAIN_SECONDS: String(given.drainSeconds ?? 0),
    LOG_LEVEL: 'warn',
    UPSTREAM_APP_ID: APP.appId,
    UPSTREAM_APP_SECRET: APP.appSecret,
    UPSTREAM_VERIFY_TOKEN: APP.verifyToken,
    UPSTREAM_CONFIG_ID: 'torture',
    UPSTREAM_TIMEOUT_MS: String(UPSTREAM_TIMEOUT_MS),
    WEBHOOK_ALLOWED_DESTINATIONS: `127.0.0.1/32:${receiverPort}`,
  }

  const ours = { root, directory: programs.directory, extension: 'js' }
  const earlier = given.earlierRoot && {
    root: given.earlierRoot,
    directory: join(given.earlierRoot, 'server/src/bin'),
    extension: 'ts',
  }

  /** The programs of a hub: the compiled ones, or the sources of an earlier version. */
  const locate = (name: 'main' | 'admin', isEarlier: boolean) => {
    const version = (isEarlier && earlier) || ours
    return { file: join(version.directory, `${name}.${version.extension}`), root: version.root }
  }

  async function startHub(name_: string, role: Hub['role']): Promise<Hub> {
    const hubPort = given.ports?.[name_] ?? (await findQuietPort())
    const toDatabase = opened.use(await openLink(database.target))
    const toUpstream = opened.use(await openLink({ host: '127.0.0.1', port: Number(new URL(upstreamUrl).port) }))
    const clients = opened.use(await openLink({ host: '127.0.0.1', port: hubPort }))
    const url = `http://127.0.0.1:${clients.port}`
    const env = {
      ...common,
      ROLE: role,
      PORT: String(hubPort),
      PUBLIC_URL: url,
      DATABASE_URL: toLocalUrl(database.url, toDatabase.port),
      UPSTREAM_URL: `http://127.0.0.1:${toUpstream.port}`,
      STRIPE_URL: `http://127.0.0.1:${toUpstream.port}`,
    }
    const launch = (isEarlier: boolean) => {
      const { file, root: from } = locate('main', isEarlier)
      // An earlier version does without faults, also of its clock.
      const clock = { TORTURE_CLOCK_MS: String(isEarlier ? 0 : (clocks.get(name_) ?? 0)) }
      const found = { DATABASE_URL: toLocalUrl(databaseUrl, toDatabase.port) }
      const variables = { ...env, ...found, ...clock, ...changes }
      const program = start(name_, file, { root: from, env: variables, log: logOf(name_) })
      program.child.once('exit', () => setTimeout(() => startAgain(program), START_AGAIN_MS))
      return program
    }

    /** As a service manager does with a hub that could not reach its database. Any other end is a fault of the hub. */
    function startAgain(program: Program): void {
      if (hub.program === program && !opened.disposed && couldNotStart()) void hub.restart()
    }

    const couldNotStart = () => /(?:^|\n)Cannot start: .*\n$/.test(readFileSync(logOf(name_), 'utf8'))
    // One after the other: two faults may end the same process.
    let restarted = Promise.resolve()
    const hub: Hub = {
      name: name_,
      role,
      url,
      links: { database: toDatabase, upstream: toUpstream, clients },
      program: launch(earlier !== undefined),
      isEarlier: earlier !== undefined,
      restart() {
        restarted = restarted.then(async () => {
          await kill(hub.program.child)
          hub.program = launch(hub.isEarlier)
        })
        return restarted
      },
      async waitUntilReady() {
        for (;;) {
          const { program } = hub
          try {
            return await waitUntilReady(name_, url, program.child)
          } catch (err) {
            const isFault = program.child.signalCode === null && !couldNotStart()
            if (hub.program === program && isFault) throw err
            await delay(START_AGAIN_MS)
          }
        }
      },
    }
    environments.set(name_, env)
    opened.defer(() => stop(hub.program))
    await waitUntilReady(name_, `http://127.0.0.1:${hubPort}`, hub.program.child)
    return hub
  }

  /** Variables that all processes get after their first start. */
  const changes: Record<string, string> = {}
  const environments = new Map<string, Record<string, string>>()
  const hubs = [await startHub('api-1', 'api')]
  hubs.push(
    ...(await Promise.all([startHub('api-2', 'api'), startHub('worker-1', 'worker'), startHub('worker-2', 'worker')])),
  )

  /** A person who signs up, and an API key of their organization. */
  async function createTenant(tenantName: string): Promise<Person & { key: string }> {
    const [{ url }] = hubs as [Hub]
    const person = { name: 'Ana', email: `${tenantName}@example.com`, password: 'correct horse battery staple' }
    const { cookie, data } = await post(
      `${url}/console/sign-up`,
      { origin: url },
      { ...person, organization_name: tenantName },
    )
    const owner = { organizationId: data.organization.id, cookie }
    return { ...owner, key: await createKey(owner) }
  }

  async function createKey({ cookie }: Pick<Person, 'cookie'>): Promise<string> {
    const [{ url }] = hubs as [Hub]
    const { data } = await post(`${url}/api/v1/api-keys`, { origin: url, cookie }, { name: 'torture', scopes: SCOPES })
    return data.secret
  }

  /** Sells plans from now on. What an organization has above the limits of its plan stays. */
  async function sellPlans(): Promise<void> {
    changes.BILLING = 'stripe'
    const [{ name, url }] = hubs as [Hub]
    const { file, root: from } = locate('admin', earlier !== undefined)
    const env = { ...environments.get(name), ...changes }
    const admin = start('admin', file, { root: from, args: ['setup-billing'], env, log: logOf('admin') })
    await once(admin.child, 'exit')
    if (admin.child.exitCode !== 0) throw new Error('The prices of plans were not created')
    await upstream.ask({ order: 'payments', callback: `${url}/hooks/billing` })
    await Promise.all(hubs.map(replace))
  }

  /** The next version of a process, or the same one with other settings, as in a rolling restart. */
  async function replace(hub: Hub): Promise<void> {
    await stop(hub.program)
    await hub.restart()
    await hub.waitUntilReady()
  }

  /** Brings every process to the new version, one after the other, the workers first. */
  async function upgrade(): Promise<void> {
    for (const hub of hubs.toReversed()) {
      hub.isEarlier = false
      await replace(hub)
    }
  }

  /** The way back from an upgrade: every process ends, to start again as the earlier version on another database. */
  async function stopAll(url: string): Promise<void> {
    await Promise.all(hubs.map(({ program }) => stop(program)))
    databaseUrl = url
    for (const hub of hubs) hub.isEarlier = earlier !== undefined
  }

  async function startAll(role: Hub['role']): Promise<void> {
    for (const hub of hubs.filter((one) => one.role === role)) {
      await hub.restart()
      await hub.waitUntilReady()
    }
  }

  /** Takes every connection that the database has left. Those that the hub has stay open. */
  async function takeConnections(forMs: number): Promise<void> {
    const pool = openPool(database.url, { max: CONNECTIONS_MAX, name: 'torture' })
    const sleep = () => pool`select pg_sleep(${forMs / 1000})`
    const taken = Promise.allSettled(Array.from({ length: CONNECTIONS_MAX }, sleep))
    await Promise.race([taken, delay(forMs)])
    await pool.end({ timeout: 1 })
  }

  return {
    hubs,
    upstream,
    receivers,
    receiverUrl: `http://127.0.0.1:${receiverPort}`,
    disk: database.disk,
    takeConnections,
    sellPlans,
    upgrade,
    stopAll,
    startAll,
    sealingKeys: common.SEALING_KEYS,
    pay: (url: string) => upstream.ask({ order: 'pay', url }),
    createTenant,
    createKey,
    createNumber: async () => (await upstream.ask({ order: 'number' })).number as UpstreamNumber,
    tellUpstream: (order: UpstreamOrder) => upstream.tell(order),
    killDatabase: database.kill,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function post(url: string, headers: Record<string, string>, body: object) {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
  const answer = await fetch(url, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`POST ${url} was answered ${answer.status}: ${text}`)
  return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '', data: JSON.parse(text).data }
}

/** The same database by way of a link. */
function toLocalUrl(url: string, port: number): string {
  const local = new URL(url)
  local.host = `127.0.0.1:${port}`
  return local.href
}
