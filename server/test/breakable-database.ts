import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { socketOptions } from '../src/kernel/db/connection-url.ts'
import { openPool } from '../src/kernel/db/pool.ts'
import { testDatabase } from './database.ts'

/** What the wire does with a connection: pass it on, end it at once, or keep it and say nothing. */
type Manner = 'relay' | 'hang up' | 'be silent'

/** A pool that reaches its database through a wire which the test can cut, spoil and mend. */
export async function breakableDatabase(t: TestContext) {
  const { target } = await testDatabase()
  const sockets = new Set<Socket>()
  let manner: Manner = 'relay'

  function keep(socket: Socket): Socket {
    sockets.add(socket)
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  const wire = createServer((client) => {
    keep(client)
    if (manner === 'hang up') client.end()
    if (manner !== 'relay') return
    const server = keep(connect(placeOf(target)))
    client.pipe(server)
    server.pipe(client)
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
  })
  await once(wire.listen(0, '127.0.0.1'), 'listening')
  const { port } = wire.address() as AddressInfo
  const url = new URL(target)
  url.host = `127.0.0.1:${port}`
  const sql = openPool(url.href, { max: 4, name: 'hub behind a wire' })

  function breakOff(): void {
    for (const socket of sockets) socket.destroy()
  }
  async function cut(): Promise<void> {
    const closed = once(wire, 'close')
    wire.close()
    breakOff()
    await closed
  }
  t.after(async () => {
    await sql.end({ timeout: 0 })
    if (wire.listening) await cut()
  })

  return {
    sql,
    cut,

    /** Ends every connection at once, as a restart does; new ones are taken. */
    reset(): void {
      for (const socket of sockets) socket.resetAndDestroy()
    },

    /** Breaks every connection, and treats the next ones so. */
    spoil(how: Manner): void {
      manner = how
      breakOff()
    },

    async mend(): Promise<void> {
      manner = 'relay'
      breakOff()
      if (!wire.listening) await once(wire.listen(port, '127.0.0.1'), 'listening')
    },
  }
}

function placeOf(target: string): { path: string } | { host: string; port: number } {
  const socket = socketOptions(target)
  if (socket) return { path: `${socket.host}/.s.PGSQL.${socket.port}` }
  const { hostname, port } = new URL(target)
  return { host: hostname, port: Number(port || 5432) }
}
