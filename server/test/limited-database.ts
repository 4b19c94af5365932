import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { openPool, type Pool } from '../src/kernel/db/pool.ts'
import { testDatabase, withServer } from './database.ts'

type Limited = { sql: Pool; limits: number[]; setLimit: (connections: number) => Promise<unknown> }

/** A pool whose account may have so many connections. */
export async function openLimited(t: TestContext, connections: number, max: number): Promise<Limited> {
  const { target } = await testDatabase()
  const [account, password] = [`limited_${randomBytes(6).toString('hex')}`, 'secret']
  await withServer((admin) =>
    admin.unsafe(
      `create role ${account} login password '${password}' connection limit ${connections} in role current_user`,
    ),
  )
  const limits: number[] = []
  const url = target.replace(/\/\/[^@]*@/, `//${account}:${password}@`)
  const sql = openPool(url, { max, name: account, onLimit: (limit) => void limits.push(limit) })
  t.after(async () => {
    await sql.end({ timeout: 0 })
    await withServer((admin) => admin.unsafe(`drop role ${account}`))
  })
  const setLimit = (limit: number) =>
    withServer((admin) => admin.unsafe(`alter role ${account} connection limit ${limit}`))
  return { sql, limits, setLimit }
}

/** Holds connections until they are released. */
export function holdConnections(sql: Pool, count: number) {
  const { promise: end, resolve: release } = Promise.withResolvers<void>()
  const begun = Array.from({ length: count }, () => Promise.withResolvers<void>())
  const held = begun.map(({ resolve }) =>
    sql.begin(async (tx) => {
      await tx`select 1`
      resolve()
      await end
    }),
  )
  return {
    begun: Promise.all(begun.map(({ promise }) => promise)),
    async release(): Promise<void> {
      release()
      await Promise.all(held)
    },
  }
}
