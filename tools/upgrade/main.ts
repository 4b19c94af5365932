import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findPrograms } from '../ha/programs.ts'
import { check, readHistory } from '../torture/checker.ts'
import { createCaller } from '../torture/client.ts'
import { openEarlierVersion } from '../torture/earlier-version.ts'
import { openInstallation } from '../torture/installation.ts'
import { openLedger } from '../torture/ledger.ts'
import { createWorld } from '../torture/operations.ts'
import { RUN_FAILED, readNumber, readOptions } from '../torture/options.ts'
import { report } from '../torture/report.ts'
import { settleRun } from '../torture/settle.ts'
import { startTraffic } from '../torture/traffic.ts'
import { createCommands } from './commands.ts'
import { createKey, goBack, revokeKey } from './going-back.ts'
import { startPostgres } from './postgres.ts'

/**
 * `npm run upgrade`: the hub as an earlier version, under traffic. It is backed up and upgraded as docs/guides/upgrade.md says, nothing that
 * was acknowledged is lost, and then it goes back by `restore`: what was before the backup is there again.
 */
const ROOT = join(import.meta.dirname, '../..')
/** Release 0.1.0. */
const EARLIER = 'ac9c53f'
/** Before the backup, between it and the upgrade, and after that. */
const TRAFFIC_MS = 10_000

const USAGE = `npm run upgrade -- [--from COMMIT] [--seed N] [--per-second N]

Upgrades the version of a commit (release 0.1.0 unless another is given) under traffic, and goes back by restore.`

const { values } = readOptions(USAGE, {
  options: {
    from: { type: 'string', default: EARLIER },
    seed: { type: 'string', default: '1' },
    'per-second': { type: 'string', default: '4' },
  },
})

const seed = readNumber('seed', values.seed)
const perSecond = readNumber('per-second', values['per-second'])
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
const { bin } = findPrograms()
if (bin === '') console.log('Skipped, because this machine lacks postgresql of Debian, with pg_dump.')
else process.exitCode = await main(bin)

async function main(postgres: string): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'hubline-upgrade-'))
  await chmod(directory, 0o755)
  const code = await prove(postgres, directory).catch((err: unknown) => {
    console.error(err)
    console.log('The run failed and says nothing.')
    return RUN_FAILED
  })
  if (code === 0) await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  else console.log(`Logs: ${directory}`)
  return code
}

async function prove(postgres: string, directory: string): Promise<number> {
  await using server = await startPostgres(postgres, directory)
  await using earlier = await openEarlierVersion(ROOT, values.from)
  const database = await server.create('hubline')
  const clocks = new Map<string, number>()
  const options = { seed, directory, root: ROOT, earlierRoot: earlier.root, clocks, database }
  await using installation = await openInstallation(options)
  const world = await createWorld(installation, createCaller(openLedger(join(directory, 'calls.jsonl'))), 0)
  const apis = installation.hubs.filter(({ role }) => role === 'api')
  installation.tellUpstream({ order: 'callbacks', urls: apis.map(({ url }) => url) })
  const [tenant] = world.tenants
  if (!tenant) throw new Error('The run has no tenant')
  const commands = createCommands({ root: ROOT, directory, postgres, sealingKeys: installation.sealingKeys })

  const traffic = startTraffic(world, { seed, perSecond })
  await delay(TRAFFIC_MS)
  const revoked = await createKey(world, tenant)
  console.log(`${await commands.plan(database.url)} migrations to come`)
  const from = Date.now()
  await commands.backUp(database.url)
  const backup = { from, at: Date.now() }
  console.log(`The backup under traffic took ${backup.at - from} ms.`)
  await delay(TRAFFIC_MS)
  await installation.upgrade()
  console.log(`The upgrade of four processes under traffic took ${Date.now() - backup.at - TRAFFIC_MS} ms.`)
  await delay(TRAFFIC_MS)
  await traffic.stop()
  await settleRun(world, installation, directory)
  console.log('\nAfter the upgrade:')
  const code = report({ directory, ...check(readHistory(directory)) })

  await revokeKey(world, tenant, revoked.id)
  const made = await createKey(world, tenant)
  const { url } = await server.create('restored')
  await installation.stopAll(url)
  await commands.restore(url)
  const keys = { revoked: revoked.secret, made: made.secret }
  const { counts, problems } = await goBack({ world, installation, directory, backup, keys })
  console.log(`\nBack on ${values.from} by restore:`)
  for (const [name, count] of Object.entries(counts)) console.log(`${String(count).padStart(6)} ${name}`)
  for (const problem of problems) console.log(`WRONG: ${problem}`)
  return Math.max(code, problems.length > 0 ? 1 : 0)
}
