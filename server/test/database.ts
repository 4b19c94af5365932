import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { openPool, type Pool, type PoolTarget } from '../src/kernel/db/pool.ts'
import { socketOptions } from '../src/kernel/embedded-postgres/connection-url.ts'

/**
 * One server and one migrated template for a whole run (made by `npm test`),
 * and one clone of it for each test file that asks: a file is a process.
 */
export const TEMPLATE = 'hubline_template'

let own: Promise<{ target: PoolTarget; sql: Pool }> | undefined

export function testDatabase(): Promise<{ target: PoolTarget; sql: Pool }> {
  own ??= cloneTemplate()
  return own
}

export function serverUrl(): string {
  const url = process.env.TEST_DATABASE_URL
  if (!url) throw new Error('Tests that touch data are run by `npm test`, which starts a database for them')
  return url
}

export function targetOf(database: string): PoolTarget {
  const options = socketOptions(serverUrl())
  if (options) return { ...options, database }
  const url = new URL(serverUrl())
  url.pathname = `/${database}`
  return url.href
}

/** A database of its own for a test that is about the database itself. */
export async function withServer<T>(work: (admin: Pool) => Promise<T>): Promise<T> {
  const admin = openPool(targetOf('postgres'), { max: 1, name: 'tests' })
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

async function cloneTemplate() {
  const name = `hubline_test_${randomBytes(6).toString('hex')}`
  await withServer((admin) => admin.unsafe(`create database ${name} template ${TEMPLATE}`))
  const target = targetOf(name)
  const sql = openPool(target, { max: 10, name: 'hub under test' })
  after(async () => {
    await sql.end({ timeout: 5 })
    await withServer((admin) => admin.unsafe(`drop database if exists ${name} with (force)`))
  })
  return { target, sql }
}
