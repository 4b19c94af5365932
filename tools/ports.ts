import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Ports that no program listens on, all at once, so that they differ. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

/** The kernel takes ports for outgoing connections from 32768 on, unless it is told otherwise. */
const QUIET_PORTS = { from: 20_000, count: 10_000 }

/** A port that stays free while the program that listens on it is started again, because no outgoing connection gets it. */
export async function findQuietPort(): Promise<number> {
  for (;;) {
    const port = QUIET_PORTS.from + Math.floor(Math.random() * QUIET_PORTS.count)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    await once(server.close(), 'close')
    return port
  }
}
