import { AsyncResource } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { after, getTestContext } from 'node:test'
import { openPool, type Pool } from '../src/kernel/db/pool.ts'

/** The migrated database that `npm test` creates once per run. Every test file gets a clone of it. */
export const TEMPLATE = 'hubline_template'

/** `closing` has what uses the database until the last test of its file is done. */
export type TestDatabase = { target: string; sql: Pool; closing: (() => Promise<void>)[]; drop: () => Promise<void> }

/** Within a test, `after` runs at the end of that test. Bound to the load of this module, it runs at the end of the process. */
const afterAll = AsyncResource.bind(after)

let current: { file: string; database: Promise<TestDatabase> } | undefined

/**
 * The database of the calling test file. Many files run in one process, one after the other: the first test of a file
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

export function readServerUrl(): string {
  const url = process.env.TEST_DATABASE_URL
  if (!url) throw new Error('TEST_DATABASE_URL is not set: run the tests with `npm test`, which starts a database')
  return url
}

export function toDatabaseUrl(database: string): string {
  const url = new URL(readServerUrl())
  url.pathname = `/${database}`
  return url.href
}

/** A connection to the maintenance database, for tests that create databases. */
export async function withServer<T>(work: (admin: Pool) => Promise<T>): Promise<T> {
  const admin = openPool(toDatabaseUrl('postgres'), { max: 1, name: 'tests' })
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

async function replaceDatabase(previous: Promise<TestDatabase> | undefined): Promise<TestDatabase> {
  await (await previous)?.drop()
  return cloneTemplate()
}

/** Another database beside that of the file, for a test of two installations. The caller drops it. */
export async function cloneTemplate(): Promise<TestDatabase> {
  const name = `hubline_test_${randomBytes(6).toString('hex')}`
  await withServer((admin) => admin.unsafe(`create database ${name} template ${TEMPLATE}`))
  const target = toDatabaseUrl(name)
  const sql = openPool(target, { max: 10, name: 'hub under test' })
  const closing: TestDatabase['closing'] = []
  async function drop(): Promise<void> {
    for (const close of closing) await close()
    await sql.end({ timeout: 5 })
    await withServer((admin) => admin.unsafe(`drop database if exists ${name} with (force)`))
  }
  return { target, sql, closing, drop }
}
