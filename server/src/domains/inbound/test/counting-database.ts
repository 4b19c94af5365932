import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { testDatabase } from '../../../../test/database.ts'
import { parseDatabaseUrl } from '../../../kernel/db/connection-url.ts'
import { openPool } from '../../../kernel/db/pool.ts'

/** A pool behind a TCP proxy that counts every statement in PostgreSQL's protocol. */
export async function countingDatabase(t: TestContext) {
  const { target } = await testDatabase()
  const sockets = new Set<Socket>()
  const transactions: number[] = []

  const proxy = createServer((client) => {
    const server = connect(toAddress(target))
    client.on('data', createReader(createCounter(transactions)))
    client.pipe(server).pipe(client)
    for (const socket of [client, server]) sockets.add(socket.on('error', () => {}))
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(target)
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const sql = openPool(url.href, { max: 4, name: 'hub behind a counting proxy' })
  t.after(async () => {
    await sql.end({ timeout: 0 })
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })

  return {
    sql,

    /** The number of statements in the longest transaction that began during the work. */
    async countLongest(work: () => Promise<unknown>): Promise<number> {
      const before = transactions.length
      await work()
      return Math.max(...transactions.slice(before))
    },
  }
}

/** Counts the statements after each `begin`, including the `commit`. */
function createCounter(transactions: number[]) {
  let current = -1
  return (type: string, text: string) => {
    if (type === 'Q' && text.startsWith('begin')) current = transactions.push(0) - 1
    else if ((type === 'Q' || type === 'E') && current >= 0) transactions[current] = (transactions[current] ?? 0) + 1
  }
}

/** Calls `onMessage` with the type and the first bytes of each message that a client sends. */
function createReader(onMessage: (type: string, text: string) => void) {
  let unread = Buffer.alloc(0)
  // The first message of a connection has a length and no type.
  let lengthAt = 0
  return (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk])
    while (unread.length >= lengthAt + 4) {
      const end = lengthAt + unread.readInt32BE(lengthAt)
      if (unread.length < end) return
      if (lengthAt === 1) onMessage(unread.toString('latin1', 0, 1), unread.toString('latin1', 5, Math.min(end, 20)))
      unread = unread.subarray(end)
      lengthAt = 1
    }
  }
}

function toAddress(target: string): { path: string } | { host: string; port: number } {
  const [{ host, port } = { host: '', port: 0 }] = parseDatabaseUrl(target).servers
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
}
