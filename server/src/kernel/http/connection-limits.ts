import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { toAddressKey } from '../net/ip.ts'

/** Above this part of all connections, idle ones are closed for new ones. */
const CROWDED = 0.9
/** The part of all connections that one address may have. */
const PER_ADDRESS = 0.25

type Connection = { socket: Socket; address: string; openRequests: number }

type Options = {
  connectionsMax: number
  /** Peers that connect for many clients: proxies. */
  isProxy: (address: string) => boolean
  /** Called for each connection that is refused. */
  onRefused: () => void
}

/**
 * Keeps connections that wait for their next request from shutting other clients out. When few are left, each new
 * connection closes the one that is idle for longest, of the address that has most idle ones. An address that is not
 * a proxy's has a quarter of all connections.
 */
export function limitConnections(server: Server, { connectionsMax, isProxy, onRefused }: Options): void {
  const crowdedAt = Math.floor(connectionsMax * CROWDED)
  const perAddressMax = Math.max(1, Math.floor(connectionsMax * PER_ADDRESS))
  const connections = new Map<Socket, Connection>()
  const counts = new Map<string, number>()
  /** By address, the longest idle first: a set lists its members in the order in which they were added. */
  const idle = new Map<string, Set<Connection>>()
  server.maxConnections = connectionsMax

  function addIdle(connection: Connection): void {
    const { address } = connection
    const ofAddress = idle.get(address) ?? new Set()
    idle.set(address, ofAddress.add(connection))
  }

  function removeIdle(connection: Connection): void {
    const ofAddress = idle.get(connection.address)
    if (ofAddress?.delete(connection) && ofAddress.size === 0) idle.delete(connection.address)
  }

  function closeLongestIdle(): void {
    let most: Set<Connection> | undefined
    for (const ofAddress of idle.values()) if (ofAddress.size > (most?.size ?? 0)) most = ofAddress
    const [longest] = most ?? []
    if (!longest) return
    removeIdle(longest)
    longest.socket.destroy()
  }

  function forget(connection: Connection): void {
    const { socket, address } = connection
    connections.delete(socket)
    removeIdle(connection)
    const count = (counts.get(address) ?? 1) - 1
    if (count > 0) counts.set(address, count)
    else counts.delete(address)
  }

  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? ''
    const address = toAddressKey(peer)
    const count = counts.get(address) ?? 0
    if (count >= perAddressMax && !isProxy(peer)) {
      socket.destroy()
      onRefused()
      return
    }
    if (connections.size >= crowdedAt) closeLongestIdle()
    const connection = { socket, address, openRequests: 0 }
    connections.set(socket, connection)
    counts.set(address, count + 1)
    addIdle(connection)
    socket.once('close', () => forget(connection))
  })

  server.on('request', ({ socket }, response) => {
    const connection = connections.get(socket)
    if (!connection) return
    connection.openRequests++
    removeIdle(connection)
    response.once('close', () => {
      connection.openRequests--
      if (connection.openRequests === 0 && connections.has(socket)) addIdle(connection)
    })
  })
}
