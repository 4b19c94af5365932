import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { parseDatabaseUrl } from '../src/kernel/db/connection-url.ts'
import { openPool, type PoolOptions } from '../src/kernel/db/pool.ts'
import { testDatabase } from './database.ts'

/** The proxy relays a connection to the database, at once or later, ends it, or never responds. */
type Mode = 'relay' | 'hold' | 'hang up' | 'be silent'

/** The message in which a server tells the client the process id of its session. */
const PROCESS_ID = Buffer.from('K\0\0\0\f', 'latin1')
/** The message in which a server is ready for the next statement, with the last one committed. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1')

/**
 * A pool that reaches its database through a proxy which the test can stop, disrupt and restore. Like a connection pooler,
 * it can tell clients a process id of its own.
 */
export async function breakableDatabase(
  t: TestContext,
  { isPooler = false, ...options }: Partial<PoolOptions> & { isPooler?: boolean } = {},
) {
  const { target } = await testDatabase()
  const sockets = new Set<Socket>()
  const held: Socket[] = []
  let mode: Mode = 'relay'
  let cut: { text: string; when: 'before' | 'after' } | undefined

  function track(socket: Socket): Socket {
    sockets.add(socket)
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  const proxy = createServer((client) => {
    track(client)
    if (mode === 'hang up') client.end()
    if (mode === 'hold') held.push(client)
    if (mode === 'relay') relay(client)
  })
  function relay(client: Socket): void {
    const server = track(connect(toAddress(target)))
    client.on('data', (chunk) => {
      if (!cut || !chunk.includes(cut.text)) return
      const { when } = cut
      cut = undefined
      if (when === 'before') server.destroy()
      else server.prependListener('data', (response) => void (response.includes(READY) && client.destroy()))
    })
    client.pipe(server)
    server.pipe(client)
    if (isPooler) server.prependListener('data', replaceProcessId)
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
  }
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const { port } = proxy.address() as AddressInfo
  const url = new URL(target)
  url.host = `127.0.0.1:${port}`
  const sql = openPool(url.href, { max: 4, name: 'hub behind a proxy', ...options })

  function closeConnections(): void {
    for (const socket of sockets) socket.destroy()
  }
  async function stop(): Promise<void> {
    const closed = once(proxy, 'close')
    proxy.close()
    closeConnections()
    await closed
  }
  t.after(async () => {
    await sql.end({ timeout: 0 })
    if (proxy.listening) await stop()
  })

  return {
    url: url.href,
    sql,
    stop,

    /** Makes the open connections silent without closing them, as a firewall does. New ones are relayed. */
    silence(): void {
      for (const socket of sockets) socket.unpipe().pause()
    },

    /** Closes every connection, and handles new ones in the given mode. */
    disrupt(next: Mode): void {
      mode = next
      closeConnections()
    },

    /** Closes the connection of the next statement with this text among its values: before it arrives, or after its commit. */
    cutAt(text: string, when: 'before' | 'after'): void {
      cut = { text, when }
    },

    countHeld: () => held.length,

    /** Relays the connections that it holds, and every new one. */
    release(): void {
      mode = 'relay'
      for (const client of held.splice(0)) relay(client)
    },

    async restore(): Promise<void> {
      mode = 'relay'
      closeConnections()
      if (!proxy.listening) await once(proxy.listen(port, '127.0.0.1'), 'listening')
    },
  }
}

function replaceProcessId(chunk: Buffer): void {
  const at = chunk.indexOf(PROCESS_ID)
  if (at >= 0) chunk.writeInt32BE(1, at + PROCESS_ID.length)
}

function toAddress(target: string): { path: string } | { host: string; port: number } {
  const [{ host, port } = { host: '', port: 0 }] = parseDatabaseUrl(target).servers
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
}
