import { AsyncResource } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { after, getTestContext } from 'node:test'
import { openPool, type Pool } from '../src/kernel/db/pool.ts'

/** The migrated database that `npm test` makes once for a run, and of which every test file gets a clone. */
export const TEMPLATE = 'hubline_template'

export type TestDatabase = { target: string; sql: Pool; drop: () => Promise<void> }

/** Called within a test, `after` would end with that test; bound to the loading of this module, it ends with the process. */
const afterAll = AsyncResource.bind(after)

let current: { file: string; database: Promise<TestDatabase> } | undefined

/**
 * The database of the test file that asks. Many files run in one process, one after the other: the first test of a file
 * drops the database of the file before it.
 */
export function testDatabase(): Promise<TestDatabase> {
  const file = getTestContext()?.filePath ?? ''
  if (current?.file !== file) {
    const previous = current?.database
    if (!previous) afterAll(async () => (await current?.database)?.drop())
    current = { file, database: replaceDatabase(previous) }
  }
  return current.database
}

export function serverUrl(): string {
  const url = process.env.TEST_DATABASE_URL
  if (!url) throw new Error('Tests that touch data are run by `npm test`, which starts a database for them')
  return url
}

export function targetOf(database: string): string {
  const url = new URL(serverUrl())
  url.pathname = `/${database}`
  return url.href
}

/** A connection to the server itself, for a test that makes databases of its own. */
export async function withServer<T>(work: (admin: Pool) => Promise<T>): Promise<T> {
  const admin = openPool(targetOf('postgres'), { max: 1, name: 'tests' })
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

async function replaceDatabase(previous: Promise<TestDatabase> | undefined): Promise<TestDatabase> {
  await (await previous)?.drop()
  const name = `hubline_test_${randomBytes(6).toString('hex')}`
  await withServer((admin) => admin.unsafe(`create database ${name} template ${TEMPLATE}`))
  const target = targetOf(name)
  const sql = openPool(target, { max: 10, name: 'hub under test' })
  async function drop(): Promise<void> {
    await sql.end({ timeout: 5 })
    await withServer((admin) => admin.unsafe(`drop database if exists ${name} with (force)`))
  }
  return { target, sql, drop }
}
