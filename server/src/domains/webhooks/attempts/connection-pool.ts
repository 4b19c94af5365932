import type { CheckedDestination } from '../../../kernel/net/destinations.ts'
import { Connection, type ConnectionSettings } from './connection.ts'

/** The pool needs this of an attempt. An attempt that is over while it waits gets no connection. */
export type ConnectionUser = {
  /** After a stale connection: another idle one may be stale too. */
  needsNewConnection: boolean
  isOver: boolean
  useConnection(connection: Connection, checked: CheckedDestination): void
}

/** The connections to one origin. The connection that was used last is the last of `idle`. */
type OriginConnections = {
  openCount: number
  idle: Connection[]
  waiting: { user: ConnectionUser; checked: CheckedDestination }[]
}

type ConnectionLimits = {
  /** In use or idle, to one origin. Further attempts wait. */
  perOriginMax: number
  /** To all origins together. Above it, the connection that was idle longest is closed. */
  idleMax: number
}

export type ConnectionPool = ReturnType<typeof createConnectionPool>

/**
 * Each connection carries one request at a time. An idle connection is reused only by an attempt for which its address
 * was checked: where a name has moved since, no attempt reaches the old address over a kept-alive socket.
 */
export function createConnectionPool({ perOriginMax, idleMax, ...settings }: ConnectionLimits & ConnectionSettings) {
  const origins = new Map<string, OriginConnections>()
  /** Idle connections of all origins, longest idle first. */
  const idle = new Set<Connection>()
  let isClosed = false

  function findOrigin(name: string): OriginConnections {
    const found = origins.get(name)
    if (found) return found
    const created: OriginConnections = { openCount: 0, idle: [], waiting: [] }
    origins.set(name, created)
    return created
  }

  function acquire(user: ConnectionUser, checked: CheckedDestination): void {
    const origin = findOrigin(checked.url.origin)
    const reused = user.needsNewConnection ? undefined : takeIdle(origin, checked)
    if (reused) user.useConnection(reused, checked)
    else if (canOpen(origin)) user.useConnection(open(origin, checked), checked)
    else origin.waiting.push({ user, checked })
  }

  /** At the limit, an idle connection that the attempt cannot reuse is closed in favor of a new one. */
  function canOpen(origin: OriginConnections): boolean {
    const [unusable] = origin.idle
    if (origin.openCount >= perOriginMax && unusable) remove(origin, unusable)
    return origin.openCount < perOriginMax
  }

  function takeIdle(origin: OriginConnections, { addresses }: CheckedDestination): Connection | undefined {
    for (let index = origin.idle.length - 1; index >= 0; index--) {
      const connection = origin.idle[index]
      if (connection?.isUsable() && addresses.some(({ address }) => address === connection.address)) {
        origin.idle.splice(index, 1)
        idle.delete(connection)
        return connection
      }
    }
    return undefined
  }

  function open(origin: OriginConnections, checked: CheckedDestination): Connection {
    const connection = new Connection(checked, settings, discard)
    origin.openCount++
    return connection
  }

  /** Closes a connection in any state. */
  function discard(connection: Connection): void {
    if (connection.isDiscarded) return
    const origin = findOrigin(connection.origin)
    remove(origin, connection)
    serveNext(origin)
    if (origin.openCount === 0) origins.delete(connection.origin)
  }

  function remove(origin: OriginConnections, connection: Connection): void {
    connection.isDiscarded = true
    origin.openCount--
    if (idle.delete(connection)) origin.idle.splice(origin.idle.indexOf(connection), 1)
    connection.destroy()
  }

  function serveNext(origin: OriginConnections): void {
    let next = origin.waiting.shift()
    while (next?.user.isOver) next = origin.waiting.shift()
    if (next) acquire(next.user, next.checked)
  }

  function keepIdle(connection: Connection): void {
    const origin = findOrigin(connection.origin)
    connection.markReused()
    origin.idle.push(connection)
    idle.add(connection)
    serveNext(origin)
    const [longestIdle] = idle
    if (idle.size > idleMax && longestIdle) discard(longestIdle)
  }

  function keepOrDiscard(connection: Connection): void {
    if (isClosed || !connection.isUsable()) discard(connection)
    else keepIdle(connection)
  }

  return {
    /** Calls `useConnection` at once, or when a connection is free. */
    acquire,

    discard,

    /**
     * Takes back a connection whose response was read to its end. Node says of what is written with TLS that it is so only
     * after it has read what has arrived, which may be the response: what is unusable now may not be then.
     */
    release(connection: Connection): void {
      if (connection.isUsable()) keepOrDiscard(connection)
      else setImmediate(keepOrDiscard, connection)
    },

    /** Closes the idle connections now, and those in use when they are released. */
    close(): void {
      isClosed = true
      for (const connection of idle) discard(connection)
    },
  }
}
