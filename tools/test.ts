import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { readConfig } from '../server/src/app/config/config.ts'
import { partitionJobs } from '../server/src/app/jobs.ts'
import { openEmbeddedPostgres } from '../server/src/kernel/db/embedded/embedded-postgres.ts'
import { migrate } from '../server/src/kernel/db/migrate.ts'
import { openPool } from '../server/src/kernel/db/pool.ts'
import { MOVABLE_NOW } from '../server/test/clock.ts'
import { TEMPLATE } from '../server/test/database.ts'
import { compilePrograms } from './compiled-programs.ts'
import { findTestFiles, planTests } from './test-files.ts'
import { TOTALS_PREFIX } from './test-reporter.ts'

/**
 * `npm test [-- option … file …]`: starts a throw-away PostgreSQL (or uses the server at TEST_DATABASE_URL), makes the
 * template database, and runs the tests: most files in a few processes, and beside them the rest, each in a process of its
 * own. Where these start hubs, the hub is compiled first.
 */
/** Twice as many as a small machine has cores: tests also wait for timers, sockets and the database. A page has a browser beside it. */
const PROCESSES = { pages: 2, others: 4 }
/** So many of them run the files with a process of their own, one by one, before they help with the others. */
const PROCESSES_ISOLATED = 2
/** More than there are processes: one that is done early takes the next share. */
const SHARES = { pages: 6, others: 10 }
/** Cloning the template takes a third of the time in memory. Never needed: without room there, the disk will do. */
const MEMORY_DIR = '/dev/shm'
const MEMORY_BYTES_MIN = 4 * 1024 ** 3
/** Each test starts and stops a hub, most of which is garbage afterwards: with the default, it is collected too often. */
const HEAP = '--max-semi-space-size=64'
const REPORTER = join(import.meta.dirname, 'test-reporter.ts')
/** Far above what any test takes: a test that hangs must fail the run, not stop it. */
const TEST_TIMEOUT_MS = 300_000
/** A process that ends no file for this long hangs outside of its tests, for example on a handle that was not closed. */
const SILENCE_MAX_MS = 2 * TEST_TIMEOUT_MS
/** Writing the report of a process takes a fraction of a second. */
const REPORT_MS = 5000

type Counts = { passed: number; failed: number; skipped: number; cancelled: number; todo: number }

const LONG_OPTION = '--long'
/** A file that failed runs so often again, alone: a run in which it passes each time names it as flaky, and goes on. */
const CONFIRM_OPTION = '--confirm-failures'
const CONFIRMING_RUNS = 3
/** More failures than these have a cause that a person should look at first. */
const CONFIRMED_FILES_MAX = 4
const args = process.argv.slice(2)
const isLong = args.includes(LONG_OPTION)
const isConfirming = args.includes(CONFIRM_OPTION)
const options = args.filter((arg) => arg.startsWith('-') && ![LONG_OPTION, CONFIRM_OPTION].includes(arg))
const patterns = args.filter((arg) => !arg.startsWith('-'))
const url = process.env.TEST_DATABASE_URL
process.exitCode = url ? await runOn(url) : await runOnEmbedded()

async function runOnEmbedded(): Promise<number> {
  const directory = await mkdtemp(join((await hasMemoryDir()) ? MEMORY_DIR : tmpdir(), 'hubline-test-'))
  // When root runs this, the database's own account must be able to enter, or the database lands elsewhere.
  await chmod(directory, 0o755)
  const embedded = await openEmbeddedPostgres({ dataDir: directory, durable: false })
  try {
    return await runOn(embedded.url)
  } finally {
    await embedded[Symbol.asyncDispose]()
    await rm(directory, { recursive: true, force: true })
  }
}

async function hasMemoryDir(): Promise<boolean> {
  const { bavail, bsize } = await statfs(MEMORY_DIR).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize >= MEMORY_BYTES_MIN
}

async function runOn(serverUrl: string): Promise<number> {
  const files = findTestFiles(patterns, { isLong })
  if (files.length === 0) {
    console.error(
      `No test file matches ${patterns.join(' ')}. Give paths or globs, such as "server/src/kernel/**/*.test.ts".`,
    )
    return 1
  }
  await makeTemplate(serverUrl)
  const directory = await mkdtemp(join(tmpdir(), 'hubline-test-run-'))
  const kind = files.every((file) => file.endsWith('.page.ts')) ? 'pages' : 'others'
  const { shared, isolated } = planTests(files, SHARES[kind])
  const startsHubs = kind === 'pages' || isolated.length > 0
  await using programs = startsHubs ? await compilePrograms(join(import.meta.dirname, '..')) : undefined
  let failures: string[] = []
  const running = new Set<ChildProcess>()
  let isStopped = false

  // Stopping the tests must not stop this process before it has stopped the database.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      isStopped = true
      for (const child of running) signalGroup(child, signal)
    })
  }

  function report(line: string): void {
    if (line.startsWith('✖ ')) failures.push(line)
    console.log(line)
  }

  async function run(args: string[], list: string[]): Promise<{ code: number; counts: Partial<Counts> }> {
    const common = ['--test', `--test-timeout=${TEST_TIMEOUT_MS}`, `--test-reporter=${REPORTER}`, ...args, ...options]
    const onHang = ['--report-on-signal', '--report-exclude-env', `--report-directory=${directory}`]
    const child = spawn(process.execPath, [...onHang, ...common, ...list], {
      stdio: ['inherit', 'pipe', 'inherit'],
      // The next process need not compile again what one process has compiled.
      env: {
        ...process.env,
        TEST_DATABASE_URL: serverUrl,
        NODE_COMPILE_CACHE: join(directory, 'compiled'),
        ...(programs && { HUB_PROGRAMS: programs.directory }),
      },
      detached: true,
    })
    running.add(child)
    const watchdog = setTimeout(async () => {
      const held = await listHandles(child, directory).catch(String)
      report(`✖ no file ended within ${SILENCE_MAX_MS / 60_000} minutes: killed ${list.join(' ')}, which held ${held}`)
      signalGroup(child, 'SIGKILL')
    }, SILENCE_MAX_MS)
    let counts: Partial<Counts> = {}
    for await (const line of createInterface({ input: child.stdout })) {
      watchdog.refresh()
      if (line.startsWith(TOTALS_PREFIX)) counts = JSON.parse(line.slice(TOTALS_PREFIX.length))
      else report(line)
    }
    clearTimeout(watchdog)
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    running.delete(child)
    return { code: child.exitCode ?? 1, counts }
  }

  const done: Awaited<ReturnType<typeof run>>[] = []
  async function runShared(): Promise<void> {
    for (let list = shared.shift(); list && !isStopped; list = shared.shift())
      done.push(await run([HEAP, '--test-isolation=none'], list))
  }
  // These wait for processes and sockets more than they compute, so they run beside the others.
  async function runIsolated(): Promise<void> {
    if (isolated.length > 0) done.push(await run([`--test-concurrency=${PROCESSES_ISOLATED}`], isolated))
  }
  const runMany = (count: number) => Promise.all(Array.from({ length: count }, runShared))
  await Promise.all([
    runMany(PROCESSES[kind] - PROCESSES_ISOLATED),
    runIsolated().then(() => runMany(PROCESSES_ISOLATED)),
  ])

  const count = (name: keyof Counts) => done.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0)
  const [passed, failed, skipped] = [count('passed'), count('failed') + count('cancelled'), count('skipped')]
  const first = failures
  if (first.length > 0) console.log(`\n${first.join('\n')}`)
  const isExplained = done.every(({ code, counts }) => code === 0 || (counts.failed ?? 0) + (counts.cancelled ?? 0) > 0)
  const isFlaky = isConfirming && failed > 0 && isExplained && (await confirmFlaky(readFailedFiles(first)))
  await rm(directory, { recursive: true, force: true })

  console.log(
    isFlaky
      ? `\n${passed + failed} passed, 0 failed, ${skipped} skipped`
      : `\n${passed} passed, ${failed} failed, ${skipped} skipped`,
  )
  return (isFlaky || done.every(({ code }) => code === 0)) && !isStopped ? 0 : 1

  /** Returns true if each of the files passes each time, which none does that fails for a reason of its own. */
  async function confirmFlaky(paths: string[] | undefined): Promise<boolean> {
    if (paths === undefined || paths.length > CONFIRMED_FILES_MAX) return false
    failures = []
    for (const path of paths)
      for (let runs = 0; runs < CONFIRMING_RUNS; runs++) {
        if (isStopped || (await run([], [path])).code !== 0) return false
      }
    for (const path of paths)
      console.log(`flaky: ${path} failed among others, and passed ${CONFIRMING_RUNS} times alone`)
    return true
  }
}

/** The files of the lines that report failures. Undefined if a line is not about a file, as that of a process that hung. */
function readFailedFiles(lines: string[]): string[] | undefined {
  const paths = lines.map((line) => /^✖ (\S+\.(?:test|page|pooler|long)\.ts): /.exec(line)?.[1])
  return paths.includes(undefined) ? undefined : [...new Set(paths as string[])]
}

/** Names what keeps a process from ending, for the person who looks for the test that left it behind. */
async function listHandles(child: ChildProcess, directory: string): Promise<string> {
  child.kill('SIGUSR2')
  await delay(REPORT_MS)
  const [name = ''] = globSync(`report.*.${child.pid}.*.json`, { cwd: directory })
  const { libuv } = JSON.parse(await readFile(join(directory, name), 'utf8')) as { libuv: Record<string, unknown>[] }
  const held = libuv.filter(({ is_active, is_referenced }) => is_active && is_referenced)
  return held.map(({ is_active, is_referenced, address, ...handle }) => JSON.stringify(handle)).join(' ')
}

/** Each child leads a process group, in which the hubs that its tests start are too. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, signal)
}

async function makeTemplate(serverUrl: string): Promise<void> {
  const admin = openPool(databaseUrl(serverUrl, 'postgres'), { max: 1, name: 'npm test' })
  await admin.unsafe(`drop database if exists ${TEMPLATE}`)
  await admin.unsafe(`create database ${TEMPLATE}`)
  await admin.end()
  const template = openPool(databaseUrl(serverUrl, TEMPLATE), { max: 1, name: 'npm test' })
  await migrate(template)
  await template.unsafe(MOVABLE_NOW)
  // A hub makes them when it starts: a third of a second for each database without them.
  for (const job of partitionJobs(template, readConfig({}))) await job.run()
  await template.end()
}

function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
