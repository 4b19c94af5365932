import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { testDatabase } from '../../../../test/database.ts'
import { parseDatabaseUrl } from '../../../kernel/db/connection-url.ts'
import { openPool } from '../../../kernel/db/pool.ts'

/** A pool behind a TCP proxy that counts every statement and round trip in PostgreSQL's protocol. */
export async function countingDatabase(t: TestContext) {
  const { target } = await testDatabase()
  const sockets = new Set<Socket>()
  const transactions: Transaction[] = []

  const proxy = createServer((client) => {
    const server = connect(toAddress(target))
    const { onSent, onAnswer } = createCounter(transactions)
    client.on('data', createReader(onSent))
    server.on('data', createReader(onAnswer, 1))
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
      return Math.max(...transactions.slice(before).map(({ statements }) => statements))
    },

    /** The number of times for which that transaction waited for the database. */
    async countRoundTrips(work: () => Promise<unknown>): Promise<number> {
      const before = transactions.length
      await work()
      return Math.max(...transactions.slice(before).map(({ roundTrips }) => roundTrips))
    },
  }
}

type Transaction = { statements: number; roundTrips: number }

/** Counts the statements after each `begin`, including the `commit`, and the round trips of both and those between. */
function createCounter(transactions: Transaction[]) {
  let current: Transaction | undefined
  let unanswered = 0
  return {
    onSent(type: string, text: string): void {
      if ((type === 'Q' && text.startsWith('begin')) || (type === 'P' && text.startsWith('\0begin\0'))) {
        current = { statements: -1, roundTrips: 0 }
        transactions.push(current)
      }
      if (current && (type === 'Q' || type === 'E')) current.statements++
      // A statement that ends with one of these has one answer.
      if (type !== 'Q' && type !== 'S') return
      if (current && unanswered === 0) current.roundTrips++
      unanswered++
    },

    onAnswer(type: string): void {
      if (type === 'Z') unanswered = Math.max(0, unanswered - 1)
    },
  }
}

/**
 * Calls `onMessage` with the type and the first bytes of each message. The first one that a client sends has a length and no
 * type.
 */
function createReader(onMessage: (type: string, text: string) => void, firstLengthAt = 0) {
  let unread = Buffer.alloc(0)
  let lengthAt = firstLengthAt
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
