import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePorts } from '../ports.ts'
import { check, readHistory } from '../torture/checker.ts'
import { createCaller } from '../torture/client.ts'
import { openInstallation } from '../torture/installation.ts'
import { openLedger } from '../torture/ledger.ts'
import { createWorld } from '../torture/operations.ts'
import { readOptions } from '../torture/options.ts'
import { kill, stop, waitUntilReady } from '../torture/programs.ts'
import { report } from '../torture/report.ts'
import { settleRun } from '../torture/settle.ts'
import { startTraffic } from '../torture/traffic.ts'
import { openCluster, toDatabase } from './cluster.ts'
import { measure, watchSends, watchWrites } from './probes.ts'
import { findPrograms } from './programs.ts'

const USAGE = `npm run ha

Starts a cluster as in docs/guides/high-availability.md, on one machine: PostgreSQL with Patroni, etcd, HAProxy and two
hubs. Each failure happens once under traffic, and the table says what it cost. The checker of the torture compares what was
acknowledged with what arrived. It takes no options, some ten minutes, and says so where a program is missing.`

const ROOT = join(import.meta.dirname, '../..')
const SEED = 1
const PER_SECOND = 5
/** Beside traffic alone, before each failure and after it. */
const SETTLE_MS = 10_000
/** A failure shows within it. After a longer one than the other something is wrong. */
const SHOWN_MS = 3000
const FAILED_MS_MAX = 90_000
const DRAIN_SECONDS = 5
/** HAProxy asks every second and wants one success. */
const NOTICED_MS = 3000
const WORKING_POLL_MS = 100

readOptions(USAGE, {})
const { missing } = findPrograms()
// The terminal and npm both pass a signal on: the second one must not end this process before it has ended all others.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
if (missing.length > 0) console.log(`Skipped, because this machine lacks ${missing.join(', ')}.`)
else process.exitCode = await run()

async function run(): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'hubline-ha-'))
  await chmod(directory, 0o755)
  console.log(`Logs: ${directory}`)
  await runIn(directory)
  const code = report({ directory, ...check(readHistory(directory)) })
  if (code === 0) await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  return code
}

async function runIn(directory: string): Promise<void> {
  await using cluster = await openCluster(directory)
  await cluster.createDatabase()
  const [databasePort = 0, one = 0, two = 0] = await findFreePorts(3)
  const { url } = await cluster.startHaproxy([one, two], databasePort)
  const database = toDatabase(cluster.toUrl(databasePort))
  const ports = { 'api-1': one, 'api-2': two }
  const options = { seed: SEED, directory, root: ROOT, clocks: new Map<string, number>() }
  await using installation = await openInstallation({ ...options, database, ports, drainSeconds: DRAIN_SECONDS })
  const world = await createWorld(installation, createCaller(openLedger(join(directory, 'calls.jsonl'))), 0)
  const apis = installation.hubs.filter(({ role }) => role === 'api')
  installation.tellUpstream({ order: 'callbacks', urls: apis.map((api) => api.url) })
  // The upstream and the receivers make up no failures, so that only those of this run are measured.
  for (const program of [installation.upstream, installation.receivers]) program.tell({ order: 'calm' })

  const traffic = startTraffic(world, { seed: SEED, perSecond: PER_SECOND })
  const writes = watchWrites(cluster.servers.map(({ port }) => cluster.toUrl(port)))
  const sends = watchSends(world, url)
  await delay(SETTLE_MS)

  console.log('| Failure | No database takes writes for | Sends are accepted again after | Sends that failed |')
  console.log('|---|---|---|---|')
  await fail('the primary of PostgreSQL is killed', async () => {
    const { primary } = await cluster.waitUntilSafe()
    await cluster.killPostgres(primary)
  })
  await fail('the machine of the primary is gone', async () => {
    const { primary } = await cluster.waitUntilSafe()
    await cluster.killMachine(primary)
    return () => primary.start()
  })
  await fail('the machine of the standby is gone', async () => {
    const { standby } = await cluster.waitUntilSafe()
    await cluster.killMachine(standby)
    return () => standby.start()
  })
  await fail('a planned switchover', () => cluster.switchOver())
  await fail('a hub is killed', async () => {
    const [api] = apis
    if (api) await kill(api.program.child)
    return async () => api?.restart()
  })
  await fail('a new version on one hub after the other', async () => {
    for (const api of apis) {
      await stop(api.program)
      await api.restart()
      await waitUntilReady(api.name, api.url, api.program.child)
      await delay(NOTICED_MS)
    }
  })
  await sends.stop()
  await writes.stop()
  await traffic.stop()
  await settleRun(world, installation, directory)

  /** Makes a failure happen, waits until the cluster is whole again, and prints what it cost. */
  async function fail(name: string, act: () => Promise<unknown>): Promise<void> {
    await cluster.waitUntilSafe()
    const from = Date.now()
    const repair = await act()
    await delay(SHOWN_MS)
    await waitUntilWorking()
    await delay(SETTLE_MS)
    if (typeof repair === 'function') await repair()
    await cluster.waitUntilSafe()
    for (const { name: hub, url: at, program } of apis) await waitUntilReady(hub, at, program.child)
    const until = Date.now()
    // Answers of the last sends may still be on their way.
    await delay(SETTLE_MS)
    const cost = measure(writes, sends.sends, { from, until })
    const seconds = (ms: number) => (Number.isFinite(ms) ? `${(ms / 1000).toFixed(1)} s` : 'never')
    const shown = [seconds(cost.notWritableMs), seconds(cost.sendsAfterMs), `${cost.failed} of ${cost.sends}`]
    console.log(`| ${[name, ...shown].join(' | ')} |`)
  }

  /** Until writes and sends both succeed again, before what failed comes back. */
  async function waitUntilWorking(): Promise<void> {
    const from = Date.now()
    const hasWrite = () => writes.takenAt.some((at) => at > from)
    const hasSend = () => sends.sends.some((send) => send.from > from && send.status === 202)
    while (!(hasWrite() && hasSend()) && Date.now() < from + FAILED_MS_MAX) await delay(WORKING_POLL_MS)
  }
}
