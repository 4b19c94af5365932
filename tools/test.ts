import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedPostgres } from '../server/src/kernel/db/embedded/embedded-postgres.ts'
import { migrate } from '../server/src/kernel/db/migrate.ts'
import { openPool } from '../server/src/kernel/db/pool.ts'
import { MOVABLE_NOW } from '../server/test/clock.ts'
import { TEMPLATE } from '../server/test/database.ts'

/**
 * `npm test [-- file …]`: starts a throw-away PostgreSQL (or uses the server at
 * TEST_DATABASE_URL), makes the template database, and runs the tests.
 */
const ALL = ['{server,simulator,sdk,cli}/**/*.test.ts', 'tools/*.test.ts']

const args = process.argv.slice(2)
const url = process.env.TEST_DATABASE_URL
process.exitCode = url ? await runOn(url) : await runOnEmbedded()

async function runOnEmbedded(): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'hubline-test-'))
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

async function runOn(serverUrl: string): Promise<number> {
  await makeTemplate(serverUrl)
  const options = args.some((arg) => !arg.startsWith('-')) ? args : [...args, ...ALL]
  // Each file is a process that loads the whole hub: what one has compiled, the next need not.
  const cache = await mkdtemp(join(tmpdir(), 'hubline-compiled-'))
  const child = spawn(process.execPath, ['--test', '--test-concurrency=2', ...options], {
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE_URL: serverUrl, NODE_COMPILE_CACHE: cache },
  })
  // Stopping the tests must not stop this process before it has stopped the database.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const [code] = await once(child, 'exit')
  await rm(cache, { recursive: true, force: true })
  return code ?? 1
}

async function makeTemplate(serverUrl: string): Promise<void> {
  const admin = openPool(databaseUrl(serverUrl, 'postgres'), { max: 1, name: 'npm test' })
  await admin.unsafe(`drop database if exists ${TEMPLATE}`)
  await admin.unsafe(`create database ${TEMPLATE}`)
  await admin.end()
  const template = openPool(databaseUrl(serverUrl, TEMPLATE), { max: 1, name: 'npm test' })
  await migrate(template)
  await template.unsafe(MOVABLE_NOW)
  await template.end()
}

function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
