import { AsyncResource } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { openPool, type Pool } from '../src/kernel/db/pool.ts'

/**
 * One server and one migrated template for a whole run (made by `npm test`),
 * and one clone of it for each test file that asks: a file is a process.
 */
export const TEMPLATE = 'hubline_template'

/** Called within a test, `after` would end with that test; bound to the loading of this module, it ends with the file. */
const afterFile = AsyncResource.bind(after)

let own: Promise<{ target: string; sql: Pool }> | undefined

export function testDatabase(): Promise<{ target: string; sql: Pool }> {
  own ??= cloneTemplate()
  return own
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
  afterFile(async () => {
    await sql.end({ timeout: 5 })
    await withServer((admin) => admin.unsafe(`drop database if exists ${name} with (force)`))
  })
  return { target, sql }
}
